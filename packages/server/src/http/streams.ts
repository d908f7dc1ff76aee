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
