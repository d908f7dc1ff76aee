/**
 * Readers of answers that are not JSON. A generated client imports those of the kinds that its document has.
 *
 * @module
 */
import type { Answer, Answers } from "./answer.ts";
import { decode, noStream, streamError } from "./decode.ts";
import { isEventStream } from "./errors/response.ts";
import { unread } from "./errors/unread.ts";
import { limitedBody } from "./limited-body.ts";
import { eventParser, type ServerEvent } from "./sse.ts";

type Reader = (answer: Answer) => unknown;

/** Reads answers with these readers, by status, and `default` for statuses that are not listed. */
export function answersOf(readers: { readonly [status: string]: Reader }): Answers {
  const readerOf = ({ response }: Answer): Reader | undefined => readers[response.status] ?? readers["default"];
  return {
    data: (answer) => readerOf(answer)?.(answer),
    response: async (answer, parseAs) => {
      const { response, open, bytes } = answer;
      if (open) return new Response(limitedBody(answer), response);
      const isEmpty = readerOf(answer) === noneAnswer;
      // The SyntaxError of `openapi-fetch` would not name the operation.
      if (!isEmpty && parseAs === "json") await jsonAnswer(answer);
      const made = new Response((!isEmpty && bytes?.size && bytes) || null, response);
      // Otherwise `openapi-fetch` would parse what is not there.
      if (isEmpty) made.headers.set("content-length", "0");
      return made;
    },
  };
}

/** No answer. What arrives anyway is discarded. */
export async function noneAnswer(answer: Answer): Promise<undefined> {
  await (answer.open && limitedBody(answer)?.cancel());
}

/** JSON, of an operation that has other kinds of answers too. */
export async function jsonAnswer(answer: Answer): Promise<unknown> {
  return decode({ ...answer, text: await textAnswer(answer) });
}

/** Text. */
export async function textAnswer(answer: Answer): Promise<string> {
  return textOf(await blobOf(answer), answer);
}

/** A `Blob`; if the call asks for it, a `ReadableStream`. */
export function bytesAnswer(answer: Answer): unknown {
  return answer.open ? limitedBody(answer) : answer.bytes;
}

/** By the `content-type` that arrives: JSON, text, else a `Blob`. Nothing is `undefined`. */
export async function anyAnswer(answer: Answer): Promise<unknown> {
  const blob = await blobOf(answer);
  const type = answer.response.headers.get("content-type") ?? "";
  if (blob.size === 0) return undefined;
  if (/^[^;]*[/+]json\b/i.test(type)) return jsonAnswer({ ...answer, bytes: blob });
  return /^text\/|^[^;]*[/+]xml\b/i.test(type) ? textOf(blob, answer) : blob;
}

/** The events of a stream, as they arrive. */
export async function* eventsAnswer(answer: Answer): AsyncGenerator<ServerEvent, undefined> {
  if (!isEventStream(answer.response)) throw noStream({ ...answer, text: await textAnswer(answer) });
  const reader = limitedBody(answer)?.getReader();
  const parser = eventParser((fault) => streamError(answer, fault));
  try {
    for (;;) {
      const value = (await reader?.read())?.value;
      yield* value ? parser.push(value) : parser.end();
      if (!value) return undefined;
    }
  } finally {
    await reader?.cancel();
  }
}

// A body may be longer than any text of the runtime.
function textOf(blob: Blob, { origin, facts }: Answer): Promise<string> {
  return blob.text().catch(unread(origin, facts));
}

async function blobOf(answer: Answer): Promise<Blob> {
  return answer.bytes ?? new Response(limitedBody(answer)).blob();
}
