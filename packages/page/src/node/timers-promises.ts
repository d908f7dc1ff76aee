/** What the host and the tiny model use of `node:timers/promises`. */
import { immediate } from "./immediate.ts";

export const setImmediate = (): Promise<void> => new Promise(immediate);

export function setTimeout(
  milliseconds: number,
  value?: undefined,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<undefined> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      clearTimeout(timer);
      // As in Node: whoever waits is told that it was aborted, and the signal has the reason.
      reject(new DOMException("The operation was aborted", "AbortError"));
    };
    const timer = globalThis.setTimeout(() => {
      signal?.removeEventListener("abort", fail);
      resolve(value);
    }, milliseconds);
    if (signal?.aborted) fail();
    else signal?.addEventListener("abort", fail, { once: true });
  });
}
