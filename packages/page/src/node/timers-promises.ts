/** The part of `node:timers/promises` that the host and the tiny model use. */
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
      // As in Node: the error says that the wait was aborted, and the signal has the reason.
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
