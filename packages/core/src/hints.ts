/** The longest wait that a service may ask for, in milliseconds. Above it the call fails at once, with the time. */
export const longestWait = 60_000;

/** Milliseconds that a service asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as a date. */
export function retryAfter(headers: Headers): number | undefined {
  const text = headers.get("retry-after");
  // Lenient parsers make dates out of nonsense: only what ends as the dates of HTTP do is one.
  const date = text?.endsWith("GMT") ? Math.max(0, Date.parse(text) - Date.now()) : NaN;
  // Exponents count too: a service that writes one asks for a long time, and must not get a short one.
  return [Number(headers.get("retry-after-ms") || NaN), Number(text || NaN) * 1000, date].find((ms) => ms >= 0);
}
