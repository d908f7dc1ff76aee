import { isObject } from "@trainyard/core/validation";
import { notEmpty, type Rows } from "./rule.ts";

/** The rules of errors and of invalid requests. */
export const errors: Rows<`${"cursor" | "detail" | "fault" | "faults"}-${string}` | "reason-sentence"> = {
  "faults-listed": (_, { detail }) => {
    if (!Array.isArray(detail)) return "no `detail`";
    if (detail.length === 0) return "no fault in `detail`";
    const faults = detail.filter(isObject).map(({ loc, type }) => JSON.stringify([loc, type]));
    return new Set(faults).size === faults.length ? undefined : "the same fault twice";
  },
  "fault-location": (loc) => {
    const [source] = Array.isArray(loc) ? loc : [];
    return ["body", "query", "path", "header"].includes(String(source)) ? undefined : `loc ${JSON.stringify(loc)}`;
  },
  "fault-more-properties": { unchecked: "it is a permission: its undeclared properties are not reported" },
  "detail-sentence": notEmpty,
  "reason-sentence": notEmpty,
  "cursor-unknown": { tried: "after an id that never existed" },
};
