import { sleep } from "@trainyard/core/sleep";
import { mediaKind } from "@trainyard/document";
import type { PlannedAnswer, PlannedError } from "./planned-faults.ts";

/** The headers of a stream. */
export const eventHeaders = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache",
  // A proxy such as nginx would otherwise collect events before it passes them on.
  "X-Accel-Buffering": "no",
} as const;

/** How a stream ended: read to its end, left by its reader, or broken off by its source. */
export type StreamOutcome = "completed" | "aborted" | "cut";

/**
 * The same stream.
 *
 * @param done is called at its end, with the error of a source that broke off. It may return a last event instead of the
 *   error
 * @param cut receives a function that breaks the stream off, with an error as of its source
 */
export function watch(
  stream: ReadableStream<Uint8Array>,
  done: (outcome: StreamOutcome, error?: unknown) => string | undefined,
  cut: (breakOff: (why: Error) => void) => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let broken: Error | undefined;
  cut((why) => {
    broken = why;
    // A read that waits for the source ends.
    reader.cancel(why).catch(() => undefined);
  });
  let last: number | undefined;
  let isLeft = false;
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const part = await reader.read();
        if (isLeft) return;
        if (broken !== undefined) throw broken;
        last = part.value?.at(-1) ?? last;
        if (!part.done) return controller.enqueue(part.value);
        done("completed");
        controller.close();
      } catch (error) {
        if (isLeft) return;
        const event = done("cut", error);
        if (event === undefined) return controller.error(error);
        // After a blank line, because the source may have broken off within an event.
        controller.enqueue(new TextEncoder().encode(`${last === 10 ? "\n" : "\n\n"}${event}`));
        controller.close();
      }
    },
    cancel: async (reason) => {
      isLeft = true;
      done("aborted");
      await reader.cancel(reason);
    },
  });
}

/** The same response, sent as a plan says: chunk by chunk, and incomplete. */
export function throttle(response: Response, plan: PlannedAnswer): Response {
  const { cut, cutAfter, chunkDelayMs, error } = plan;
  if (cut === true) return cutOff(response);
  if (cutAfter === undefined && chunkDelayMs === undefined && error === undefined) return response;
  const { body, status, headers } = response;
  if (body !== null && mediaKind(headers.get("content-type") ?? "") === "events")
    return new Response(throttledEvents(body, plan), { status, headers });
  if (error === undefined) return cutAfter === undefined ? response : cutOff(response);
  headers.delete("x-trainyard-example");
  return new Response(errorText(error), { status, headers });
}

/** An error as services report it behind their headers. */
const errorText = ({ message, code }: PlannedError): string => JSON.stringify({ error: { message, code } });

/** The events of a stream one by one, with a pause before each except the first, up to a number of events. */
function throttledEvents(
  stream: ReadableStream<Uint8Array>,
  { cutAfter = Infinity, chunkDelayMs = 0, error }: PlannedAnswer,
): ReadableStream<Uint8Array> {
  const events = eventsOf(stream);
  const left = new AbortController();
  const { signal } = left;
  let sent = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          if (error && sent >= error.after) {
            controller.enqueue(new TextEncoder().encode(`data: ${errorText(error)}\n\n`));
            return controller.close();
          }
          if (sent >= cutAfter) {
            // Later, so that the data is sent before the connection ends.
            await sleep(10, signal, "a planned fault");
            return controller.error(new Error("The connection was cut, as it was planned."));
          }
          const { done, value } = await events.next();
          if (done) return controller.close();
          if (sent++ > 0) await sleep(chunkDelayMs ?? 0, signal, "a planned fault");
          controller.enqueue(value);
        } catch (cause) {
          if (!signal.aborted) controller.error(cause);
        }
      },
      cancel: async () => {
        left.abort();
        await events.return(undefined);
      },
    },
    // Read nothing ahead, so that the reader sees every pause.
    { highWaterMark: 0 },
  );
}

async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  for await (const part of stream) {
    const events = splitEvents(rest + decoder.decode(part, { stream: true }));
    rest = /(?:\r?\n){2}$/.test(events.at(-1) ?? "") ? "" : (events.pop() ?? "");
    for (const event of events) yield encoder.encode(event);
  }
  if (rest !== "") yield encoder.encode(rest);
  return undefined;
}

const splitEvents = (text: string): string[] => text.match(/[^]*?(?:\r?\n){2}|[^]+$/g) ?? [];

/** The same response, with a body that breaks off in the middle. */
function cutOff(response: Response): Response {
  let first = true;
  const body = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (part, controller) => {
        if (first) controller.enqueue(part.subarray(0, Math.ceil(part.length / 2)));
        first = false;
        // Later, so that the enqueued data is sent before the connection ends.
        setTimeout(() => controller.error(new Error("The connection was cut, as it was planned.")), 10);
      },
      // Without an end, so that the error comes first.
      flush: () => new Promise((resolve) => setTimeout(resolve, 50)),
    }),
  );
  response.headers.delete("content-length");
  return new Response(body ?? null, { status: response.status, headers: response.headers });
}

/**
 * A stream of server-sent events, each in a chunk of its own, sent only when the reader has read the one before.
 *
 * @param text the whole stream in wire format
 */
export function streamEvents(text: string): ReadableStream<Uint8Array> {
  const events = splitEvents(text);
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
