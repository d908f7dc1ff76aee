import type { SeedRow } from "../seed.ts";

/** Divergences in headers, or in the encoding of a body. */
export const headers: readonly SeedRow[] = [
  {
    title: "x-request-id is missing",
    on: "inference models.list",
    names: /x-request-id/,
    change: (answer) => answer.headers.delete("x-request-id"),
  },
  {
    title: "x-request-id is always the same",
    on: "training * any",
    names: /x-request-id/,
    change: (answer) => answer.headers.set("x-request-id", "req_1"),
  },
  {
    title: "the media type is wrong",
    on: "training health.check",
    names: /text\/plain/,
    change: (answer) => answer.headers.set("content-type", "text/plain"),
  },
  {
    title: "the charset is not UTF-8",
    on: "training health.check",
    names: /iso-8859-1/i,
    change: (answer) => answer.headers.set("content-type", "application/json; charset=iso-8859-1"),
  },
  {
    title: "the body is not valid JSON",
    on: "inference models.list",
    names: /JSON/,
    change: (answer) => void (answer.text = answer.text.slice(0, -1)),
  },
  {
    title: "the body is empty",
    on: "training models.listBase",
    names: /empty|JSON/,
    change: (answer) => void (answer.text = ""),
  },
  {
    title: "Retry-After is not a number or date",
    on: "training models.listBase",
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
