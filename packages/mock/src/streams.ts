/**
 * A stream of server-sent events that comes event by event, each in a chunk of its own and not before the reader has
 * had time for the one before.
 *
 * @param text the whole stream in wire framing
 */
export function streamEvents(text: string): ReadableStream<Uint8Array> {
  const events = text.match(/[^]*?(?:\r?\n){2}|[^]+$/g) ?? [];
  const encoder = new TextEncoder();
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      const event = events[next++];
      if (event === undefined) return controller.close();
      if (next > 1) await new Promise((resolve) => setImmediate(resolve));
      controller.enqueue(encoder.encode(event));
    },
    cancel() {
      next = events.length;
    },
  });
}

/** Waits. Ends early, with the signal's reason, when the signal is aborted. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (ms <= 0) return;
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
