/** The longest wait, in milliseconds, that the client accepts from a service. If it asks for more, the call fails at once. */
export const longestWait = 60_000;

/**
 * The milliseconds that a service asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as a date. Undefined for a date in
 * the past, which comes from a clock that is wrong.
 */
export function retryAfter(headers: Headers): number | undefined {
  const text = headers.get("retry-after") ?? "";
  // `Date.parse` accepts nonsense, so only text that ends like an HTTP date counts. The form of asctime has no time zone.
  const date = /:\d\d( \d{4}| GMT)$/.test(text) ? Date.parse(text.replace(/\d$/, "$& GMT")) - Date.now() : NaN;
  // `1e3` and `0x10` are no numbers of seconds: what the service meant could be longer.
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  return [Number(headers.get("retry-after-ms") || NaN), seconds * 1000, date].find((ms) => ms >= 0);
}
