import type { Answer } from "./answer.ts";
import { streamError } from "./decode.ts";

/** The body of a response that was returned unread, under the limits of its attempt. */
export function limitedBody(answer: Answer): ReadableStream<Uint8Array> | null {
  const { response, limit } = answer;
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
            throw streamError(answer, "broke", cause);
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
