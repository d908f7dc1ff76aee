import { messageOf } from "./errors/response.ts";
import { AbortError, ConfigurationError, StreamError } from "./errors/failures.ts";
import { TrainyardError } from "./errors/trainyard-error.ts";
import type { Answer } from "./answer.ts";
import type { EventStream, Folding, Partially } from "./result.ts";
import { eventParser, type ServerEvent } from "./sse.ts";

// How long to wait for the end of the body after the last event. If the body is read to its end, the connection can be
// reused.
const lingerMs = 1000;

/**
 * Creates a stream from a response whose body is unread. It ends with the event `end`, and fails if no data arrives for too
 * long.
 */
export function eventStream<Item, Final>(
  { response, facts, limit }: Answer,
  end: string,
  folding: Folding<Item, Final> | undefined,
  check?: (item: unknown) => Promise<void>,
): EventStream<Item, Final> {
  const partial = (): Partially<Final> | undefined => {
    try {
      return folding?.partial();
    } catch {
      // Chunks that break the contract cannot be folded.
      return undefined;
    }
  };
  // Errors that end the stream carry the answer so far.
  facts.given = partial;
  const fail = (what: string, options?: ErrorOptions): StreamError => new StreamError(what, facts, options);
  const reader = response.body?.getReader();
  let taken = false;
  let ended = false;
  let failure: unknown;

  const close = async (): Promise<void> => {
    limit.release();
    await reader?.cancel().catch(() => {});
  };

  const itemOf = ({ data, type }: ServerEvent): Item => {
    let item: Item & { readonly error?: unknown };
    try {
      item = JSON.parse(data);
    } catch {
      // Without a cause: it would repeat the payload.
      throw fail("an event of the stream is not JSON.");
    }
    if (type === "error" || item?.error) throw fail(`the stream failed: ${messageOf(item) ?? "no reason given"}`);
    return item;
  };

  // Some bodies ignore the signal. Close the reader, so that pending reads end.
  limit.onStop(close);

  async function* read(): AsyncGenerator<Item, undefined> {
    const parser = eventParser();
    try {
      for (;;) {
        limit.check();
        limit.start();
        const piece = await reader?.read();
        limit.pause();
        for (const event of piece?.value ? parser.push(piece.value) : parser.end()) {
          if (event.data === end) {
            ended = true;
            return;
          }
          // Events that arrive together are yielded one by one, and the call may end between two of them.
          limit.check();
          const item = itemOf(event);
          if (check) await check(item);
          folding?.add(item);
          yield item;
        }
        if (!piece?.value) throw fail(`the stream ended before its last event.`);
      }
    } catch (cause) {
      failure = limit.signal.aborted ? limit.signal.reason : cause;
      if (!(failure instanceof TrainyardError)) failure = fail("the stream broke.", { cause });
      throw failure;
    } finally {
      if (ended) limit.within(async () => reader?.read(), lingerMs).then(close, close);
      else await close();
    }
  }

  const events = read();
  const cancel = async (): Promise<void> => {
    if (!ended) limit.stop(new AbortError("the stream was cancelled.", facts));
    await close();
  };
  return {
    [Symbol.asyncIterator]: () => {
      if (taken) throw fail("the stream can be read once.");
      taken = true;
      return events;
    },
    final: async () => {
      if (!folding) throw new ConfigurationError("final() needs what accumulate: false leaves off.", facts);
      taken = true;
      while (!(await events.next()).done);
      if (failure) throw failure;
      if (!ended) throw fail("the stream was not read to its end.");
      try {
        return folding.value();
      } catch (cause) {
        throw cause instanceof TrainyardError ? cause : fail("the stream's chunks are not a valid answer.", { cause });
      }
    },
    partial,
    cancel,
    [Symbol.asyncDispose]: cancel,
  };
}
