import type { Seed } from "../seed.ts";

/** Divergences in headers, or in the encoding of a body. */
export const headers: readonly Seed[] = [
  {
    title: "x-request-id is missing",
    service: "inference",
    operation: "models.list",
    names: /x-request-id/,
    change: (answer) => answer.headers.delete("x-request-id"),
  },
  {
    title: "x-request-id is always the same",
    service: "training",
    operation: "*",
    status: "any",
    names: /x-request-id/,
    change: (answer) => answer.headers.set("x-request-id", "req_1"),
  },
  {
    title: "the media type is wrong",
    service: "training",
    operation: "health.check",
    names: /text\/plain/,
    change: (answer) => answer.headers.set("content-type", "text/plain"),
  },
  {
    title: "the charset is not UTF-8",
    service: "training",
    operation: "health.check",
    names: /iso-8859-1/i,
    change: (answer) => answer.headers.set("content-type", "application/json; charset=iso-8859-1"),
  },
  {
    title: "the body is not valid JSON",
    service: "inference",
    operation: "models.list",
    names: /JSON/,
    change: (answer) => void (answer.text = answer.text.slice(0, -1)),
  },
  {
    title: "the body is empty",
    service: "training",
    operation: "models.listBase",
    names: /empty|JSON/,
    change: (answer) => void (answer.text = ""),
  },
  {
    title: "Retry-After is not a number or date",
    service: "training",
    operation: "models.listBase",
    names: /Retry-After/i,
    change: (answer, { memory, method }) => {
      if (memory.has("told") || method !== "GET") return;
      memory.set("told", true);
      answer.status = 429;
      answer.headers.set("retry-after", "soon");
      answer.text = '{"detail": "Too many requests."}';
    },
  },
];
