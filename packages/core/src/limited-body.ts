import { StreamError } from "./errors/failures.ts";
import type { Answer } from "./answer.ts";

/** The body of a response that was returned unread, under the limits of its attempt. */
export function limitedBody({ response, facts, limit }: Answer): ReadableStream<Uint8Array> | null {
  const reader = response.body?.getReader();
  return reader
    ? new ReadableStream<Uint8Array>({
        start: (to) =>
          limit.onStop((reason) => {
            to.error(reason);
            reader.cancel().catch(() => {});
          }),
        pull: async (to) => {
          limit.start();
          const { value } = await reader.read().catch((cause: unknown) => {
            throw new StreamError("the stream broke.", facts, { cause });
          });
          limit.pause();
          if (value) return to.enqueue(value);
          limit.release();
          to.close();
        },
        cancel: () => {
          limit.release();
          return reader.cancel();
        },
      })
    : null;
}
