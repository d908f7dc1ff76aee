/** The longest wait that a service may ask for, in milliseconds. Above it the call fails at once, with the time. */
export const longestWait = 60_000;

/** Milliseconds that a service asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as a date. */
export function retryAfter(headers: Headers): number | undefined {
  const ms = number(headers.get("retry-after-ms"));
  if (ms !== undefined) return ms;
  const text = headers.get("retry-after");
  const seconds = number(text);
  if (seconds !== undefined) return seconds * 1000;
  // Lenient parsers make dates out of nonsense: only what ends as the dates of HTTP do is one.
  const date = text?.endsWith("GMT") ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function number(text: string | null): number | undefined {
  // No service writes exponents. One that does asks for a long time, and must not get a short one.
  return text && /^\d+(\.\d+)?(e\+?\d+)?$/i.test(text) ? Number(text) : undefined;
}
