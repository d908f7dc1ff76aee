// What our client owes to its callers, cell by cell, in the words that `show` has: how often the request was sent, what the
// caller gets, "?" where the error has `outcomeUnknown`, and the time to wait that it tells.

/** The outcomes of one fault: get, keyed, unkeyed, never, stream, page, follow. `-`: the fault is not played against it. */
export type Row = readonly [string, string, string, string, string, string, string];

const all = (outcome: string): Row => [outcome, outcome, outcome, outcome, outcome, outcome, outcome];

/** Nobody knows what the service did: only what may be doubled is sent again. `stream` is what a stream comes to. */
const open = (error: string, more = "", stream = `3 ${error}${more}`): Row => {
  const resent = `3 ${error}${more}`;
  const unknown = `1 ${error} ?${more}`;
  return [resent, resent, unknown, unknown, stream, resent, "2 value"];
};

/** The same, where a second request would not help either. */
const final = (error: string, more = "", stream = `1 ${error}${more}`): Row => {
  const known = `1 ${error}${more}`;
  const unknown = `1 ${error} ?${more}`;
  return [known, known, unknown, unknown, stream, known, known];
};

/** The service did nothing: everything may be sent again. */
const refused = (error: string, more = ""): Row => {
  const resent = `3 ${error}${more}`;
  return [resent, resent, resent, resent, resent, resent, "2 value"];
};

/** With a key, a 409 that tells a time says that the first request is still under way; without one it is what it is. */
const underWay = (more: string): Row => {
  const resent = `3 ConflictError${more}`;
  const once = `1 ConflictError${more}`;
  return [resent, resent, once, once, resent, resent, "2 value"];
};

const four = (outcome: string): [string, string, string, string] => [outcome, outcome, outcome, outcome];

const stream = (outcome: string): Row => ["-", "-", "-", "-", outcome, "-", "-"];

/** By the title of the fault. */
export const outcomes: { readonly [title: string]: Row } = {
  none: all("1 value"),
  "connection refused": refused("ConnectionError"),
  "reset before the headers": open("ConnectionError"),
  "reset within the headers": open("ConnectionError"),
  // A stream is handed over with its headers. From then on the caller has a part of it, and it is not sent again.
  "reset after the headers": open("ConnectionError", "", "1 StreamError"),
  "closed without an answer": open("ConnectionError"),
  "stalls before the headers": open("TimeoutError"),
  "stalls in the body": open("TimeoutError", "", "-"),
  "stalls in the stream": stream("1 TimeoutError"),
  "408": open("ApiError"),
  "408, Retry-After: 2": open("ApiError", ", wait 2 s"),
  // Longer than a call waits: the caller is told at once.
  "408, Retry-After: 90": final("ApiError", ", wait 90 s"),
  "408, Retry-After: a date": open("ApiError", ", wait 30 s"),
  "408, Retry-After: nonsense": open("ApiError"),
  "408, Retry-After: 1e99": final("ApiError", ", wait 1e99 s"),
  "409": all("1 ConflictError"),
  "409, Retry-After: 2": underWay(", wait 2 s"),
  "409, Retry-After: 90": all("1 ConflictError, wait 90 s"),
  "409, Retry-After: a date": underWay(", wait 30 s"),
  "409, Retry-After: nonsense": all("1 ConflictError"),
  "409, Retry-After: 1e99": all("1 ConflictError, wait 1e99 s"),
  "429": refused("RateLimitError"),
  "429, Retry-After: 2": refused("RateLimitError", ", wait 2 s"),
  "429, Retry-After: 90": all("1 RateLimitError, wait 90 s"),
  "429, Retry-After: a date": refused("RateLimitError", ", wait 30 s"),
  "429, Retry-After: nonsense": refused("RateLimitError"),
  "429, Retry-After: 1e99": all("1 RateLimitError, wait 1e99 s"),
  "500": open("ServerError"),
  "500 with an empty body": open("ServerError"),
  "502 with HTML": open("ServerError"),
  "503": open("ServerError"),
  "503, Retry-After: 2": open("ServerError", ", wait 2 s"),
  "524": open("ServerError"),
  // A success that cannot be read stays one: asking again would only do it again.
  "200 with HTML": final("DecodeError"),
  "200 with JSON that is cut": final("DecodeError"),
  // Only a client that is given validators looks into an object; a page and a stream are told by their form.
  "200 with JSON of something else": [...four("1 wrong value"), "1 DecodeError", "1 DecodeError", "1 DecodeError"],
  "200 with JSON that says an error": stream("1 StreamError"),
  "200 with an empty body": final("DecodeError", "", "1 StreamError"),
  "redirect to another origin": all("1 value"),
  "endless body": open("TimeoutError", "", "1 StreamError"),
  "gzip that lies": open("ConnectionError", "", "1 StreamError"),
  "stream that is cut": stream("1 StreamError"),
  "stream with an `error` event": stream("1 StreamError"),
  "stream with an `error` event, a message alone": stream("1 StreamError"),
  // Not one piece more.
  "stopped at the first of 100 chunks that are there": stream("1 AbortError"),
  "stream with an event that is no JSON": stream("1 StreamError"),
  "stream with lone `\\r`": stream("1 value"),
};
