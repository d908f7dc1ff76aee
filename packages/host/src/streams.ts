/** The same stream. Calls `done` once it was read to its end or given up. */
export function watch(stream: ReadableStream<Uint8Array>, done: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const part = await reader.read();
        if (!part.done) return controller.enqueue(part.value);
        done();
        controller.close();
      } catch (error) {
        done();
        controller.error(error);
      }
    },
    cancel: async (reason) => {
      done();
      await reader.cancel(reason);
    },
  });
}

/** The same response, whose body breaks off in its middle. */
export function cutOff(response: Response): Response {
  let first = true;
  const body = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (part, controller) => {
        if (first) controller.enqueue(part.subarray(0, Math.ceil(part.length / 2)));
        first = false;
        // Later, so that what was enqueued leaves before the connection ends.
        setTimeout(() => controller.error(new Error("The connection was cut, as it was planned.")), 10);
      },
      // Without an end, so that the error comes before it.
      flush: () => new Promise((resolve) => setTimeout(resolve, 50)),
    }),
  );
  response.headers.delete("content-length");
  return new Response(body ?? null, { status: response.status, headers: response.headers });
}

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
