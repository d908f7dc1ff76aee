import { streamError } from "./decode.ts";
import { malformed } from "#runtime";
import { codeIn, reasonOf } from "./errors/response.ts";
import { AbortError, ConfigurationError, type StreamError } from "./errors/failures.ts";
import { TrainyardError } from "./errors/trainyard-error.ts";
import type { Answer } from "./answer.ts";
import type { Streaming } from "./operation.ts";
import type { EventStream, Folding, Partially } from "./result.ts";
import { eventParser, type ServerEvent } from "./sse.ts";

// How long to wait for the end of the body after the last event. If the body is read to its end, the connection can be
// reused.
const lingerMs = 1000;

/**
 * Creates a stream from a response whose body is unread. It ends with the event `end`; if none is declared, with `[DONE]` or
 * with its body. It fails if no data arrives for too long.
 */
export function eventStream<Item, Final>(
  answer: Answer,
  { end, parser: parserOf = eventParser }: Streaming,
  folding: Folding<Item, Final> | undefined,
  check?: (item: unknown) => Promise<void>,
): EventStream<Item, Final> {
  const { response, facts, limit } = answer;
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
  let count = 0;
  facts.progress = () => (count ? `, events so far: ${count}` : ", no event had arrived");
  const fail = (what: string, cause?: unknown, code?: string): StreamError => streamError(answer, what, cause, code);
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
      throw fail(`has an event that is not JSON${malformed(data)}`);
    }
    if (type === "error" || item?.error)
      throw fail(`failed: ${reasonOf(item) ?? "no reason given"}`, undefined, codeIn(item));
    const kind = Array.isArray(item) ? "list" : item === null ? item : typeof item;
    if (kind !== "object") throw fail(`has a ${kind} as an event`);
    return item;
  };

  // Some bodies ignore the signal. Close the reader, so that pending reads end.
  limit.onStop(close);

  async function* read(): AsyncGenerator<Item, undefined> {
    const parser = parserOf(fail);
    let fault = "";
    try {
      for (;;) {
        limit.check();
        limit.start();
        fault = "broke";
        const piece = await reader?.read();
        fault = "cannot be read";
        limit.pause();
        for (const event of piece?.value ? parser.push(piece.value) : parser.end()) {
          if (event.data.trim() === (end ?? "[DONE]")) {
            ended = true;
            return;
          }
          // Events that arrive together are yielded one by one, and the call may end between two of them.
          limit.check();
          const item = itemOf(event);
          count++;
          if (check) await check(item);
          folding?.add(item);
          yield item;
        }
        if (piece?.value) continue;
        if (end) throw fail("ended before its last event");
        ended = true;
        return;
      }
    } catch (cause) {
      failure = limit.signal.aborted ? limit.signal.reason : cause;
      if (!(failure instanceof TrainyardError)) failure = fail(fault, cause);
      throw failure;
    } finally {
      if (ended) limit.within(async () => reader?.read(), lingerMs).then(close, close);
      else await close();
    }
  }

  const events = read();
  const cancel = async (): Promise<void> => {
    if (!ended) limit.stop(new AbortError("the stream was canceled.", facts));
    await close();
  };
  const take = (): AsyncGenerator<Item, undefined> => {
    if (taken) throw fail("can be read once");
    taken = true;
    return events;
  };
  return {
    [Symbol.asyncIterator]: take,
    final: async () => {
      if (!folding) throw new ConfigurationError("final() needs what accumulate: false leaves off.", facts);
      taken = true;
      while (!(await events.next()).done);
      if (failure) throw failure;
      if (!ended) throw fail("was not read to its end");
      return folding.value();
    },
    partial,
    toEventStream: () => {
      take();
      return new ReadableStream<Uint8Array>({
        pull: async (to) => {
          const { done, value } = await events.next().catch(failed);
          to.enqueue(new TextEncoder().encode(`data: ${done ? (end ?? "[DONE]") : JSON.stringify(value)}\n\n`));
          if (done !== false) to.close();
        },
        cancel,
      });
    },
    cancel,
    [Symbol.asyncDispose]: cancel,
  };
}

/** The last event of a stream that failed. It says only the kind of the failure, whose message may quote the service. */
const failed = ({ name }: Error) => ({ done: null, value: { error: { message: name } } });
