import { isObject } from "@trainyard/core/validation";
import type { Sentence } from "../sentences.ts";

export const errors: readonly Sentence[] = [
  {
    schema: "HTTPValidationError",
    text: "It lists every fault of the request, each once.",
    breach: ({ detail }) => {
      if (!Array.isArray(detail)) return "no `detail`";
      if (detail.length === 0) return "no fault in `detail`";
      const faults = detail.filter(isObject).map(({ loc, type }) => JSON.stringify([loc, type]));
      return new Set(faults).size === faults.length ? undefined : "the same fault twice";
    },
  },
  {
    schema: "ValidationError",
    property: "loc",
    text: "`body`, `query`, `path` or `header`",
    breach: ({ loc }) => {
      const [source] = Array.isArray(loc) ? loc : [];
      return ["body", "query", "path", "header"].includes(String(source)) ? undefined : `loc ${JSON.stringify(loc)}`;
    },
  },
  {
    schema: "DetailError",
    property: "detail",
    text: "as a sentence for people",
    breach: ({ detail }) => (String(detail).trim() === "" ? "an empty text" : undefined),
  },
  {
    schema: "ReasonError",
    property: "reason",
    text: "as a sentence for people",
    breach: ({ reason }) => (String(reason).trim() === "" ? "an empty text" : undefined),
  },
];
