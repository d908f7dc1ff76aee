/** The longest wait, in milliseconds, that the client accepts from a service. If it asks for more, the call fails at once. */
export const longestWait = 60_000;

/** The milliseconds that a service asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as a date. */
export function retryAfter(headers: Headers): number | undefined {
  const text = headers.get("retry-after");
  // `Date.parse` accepts nonsense, so only text that ends like an HTTP date counts.
  const date = text?.endsWith("GMT") ? Math.max(0, Date.parse(text) - Date.now()) : NaN;
  // Accept exponents: `1e9` must not become a short wait.
  return [Number(headers.get("retry-after-ms") || NaN), Number(text || NaN) * 1000, date].find((ms) => ms >= 0);
}
