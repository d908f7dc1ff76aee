// The required outcomes of our client, cell by cell, in the notation of `show`: how many times the request was sent, the
// result, "?" if the error has `outcomeUnknown`, and the wait in the error.

/** The outcomes of one fault: get, keyed, unkeyed, never, stream, page, follow. `-`: the fault does not apply. */
export type Row = readonly [string, string, string, string, string, string, string];

const all = (outcome: string): Row => [outcome, outcome, outcome, outcome, outcome, outcome, outcome];

/**
 * The outcome at the service is unknown: only requests that are safe to repeat are retried. `stream` is the result of a
 * stream.
 */
const open = (error: string, suffix = "", stream = `3 ${error}${suffix}`): Row => {
  const resent = `3 ${error}${suffix}`;
  const unknown = `1 ${error} ?${suffix}`;
  return [resent, resent, unknown, unknown, stream, resent, "2 value"];
};

/** The same, if a second request would not help either. */
const final = (error: string, suffix = "", stream = `1 ${error}${suffix}`): Row => {
  const once = `1 ${error}${suffix}`;
  const unknown = `1 ${error} ?${suffix}`;
  return [once, once, unknown, unknown, stream, once, once];
};

/** The service did nothing: every request may be retried. */
const refused = (error: string, suffix = ""): Row => {
  const resent = `3 ${error}${suffix}`;
  return [resent, resent, resent, resent, resent, resent, "2 value"];
};

/** With a key, a 409 with a wait means that the first request is still running; without one it is a final error. */
const underWay = (suffix: string): Row => {
  const resent = `3 ConflictError${suffix}`;
  const once = `1 ConflictError${suffix}`;
  return [resent, resent, once, once, resent, resent, "2 value"];
};

const four = (outcome: string): [string, string, string, string] => [outcome, outcome, outcome, outcome];

const stream = (outcome: string): Row => ["-", "-", "-", "-", outcome, "-", "-"];

/** The outcomes of a status whose response may ask the client to wait. */
interface HintedRows {
  /** Without a valid `Retry-After`. */
  readonly plain: Row;
  /** With a wait that the client obeys. */
  readonly waits: (suffix: string) => Row;
  /** With a wait that is too long for the client. */
  readonly tooLong: (suffix: string) => Row;
}

/** The statuses that are played with each form of `Retry-After`. To play another one, add it here. */
export const hintedStatuses: { readonly [status: number]: HintedRows } = {
  408: {
    plain: open("ApiError"),
    waits: (suffix) => open("ApiError", suffix),
    tooLong: (suffix) => final("ApiError", suffix),
  },
  409: { plain: all("1 ConflictError"), waits: underWay, tooLong: (suffix) => all(`1 ConflictError${suffix}`) },
  429: {
    plain: refused("RateLimitError"),
    waits: (suffix) => refused("RateLimitError", suffix),
    tooLong: (suffix) => all(`1 RateLimitError${suffix}`),
  },
};

function hintedRows(status: string, { plain, waits, tooLong }: HintedRows): [title: string, row: Row][] {
  return [
    [status, plain],
    [`${status}, Retry-After: 2`, waits(", wait 2 s")],
    // Longer than a call waits: it fails at once.
    [`${status}, Retry-After: 90`, tooLong(", wait 90 s")],
    [`${status}, Retry-After: a date`, waits(", wait 30 s")],
    [`${status}, Retry-After: nonsense`, plain],
    [`${status}, Retry-After: 1e99`, tooLong(", wait 1e99 s")],
  ];
}

/** By the title of the fault. */
export const outcomes: { readonly [title: string]: Row } = {
  none: all("1 value"),
  "connection refused": refused("ConnectionError"),
  "reset before the headers": open("ConnectionError"),
  "reset within the headers": open("ConnectionError"),
  // A stream is returned after its headers. From then on the caller has a part of it, and it is not retried.
  "reset after the headers": open("ConnectionError", "", "1 StreamError"),
  "closed without an answer": open("ConnectionError"),
  "stalls before the headers": open("TimeoutError"),
  "stalls in the body": open("TimeoutError", "", "-"),
  "stalls in the stream": stream("1 TimeoutError"),
  ...Object.fromEntries(Object.entries(hintedStatuses).flatMap(([status, rows]) => hintedRows(status, rows))),
  "500": open("ServerError"),
  "500 with an empty body": open("ServerError"),
  "502 with HTML": open("ServerError"),
  "503": open("ServerError"),
  "503, Retry-After: 2": open("ServerError", ", wait 2 s"),
  "524": open("ServerError"),
  // An unreadable success is final: a retry would only repeat the effect.
  "200 with HTML": final("DecodeError"),
  "200 with JSON that is cut": final("DecodeError"),
  // Only validators check the fields of an object; pages and streams are recognized by their form.
  "200 with JSON of something else": [...four("1 wrong value"), "1 DecodeError", "1 DecodeError", "1 DecodeError"],
  "200 with JSON that says an error": stream("1 StreamError"),
  "200 with an empty body": final("DecodeError", "", "1 StreamError"),
  "redirect to another origin": all("1 value"),
  "redirect to a file": final("ConfigurationError"),
  "endless body": open("TimeoutError", "", "1 StreamError"),
  "gzip that lies": open("ConnectionError", "", "1 StreamError"),
  "stream that is cut": stream("1 StreamError"),
  "stream with an `error` event": stream("1 StreamError"),
  "stream with an `error` event, a message alone": stream("1 StreamError"),
  // Not one more piece.
  "stopped at the first of 100 chunks that are there": stream("1 AbortError"),
  "stream with an event that is not JSON": stream("1 StreamError"),
  "stream with lone `\\r`": stream("1 value"),
};
