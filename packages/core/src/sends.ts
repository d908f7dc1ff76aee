import { noStream } from "./decode.ts";
import type { Engine } from "./engine.ts";
import { DecodeError } from "./errors/failures.ts";
import { eventStream } from "./event-stream.ts";
import type { Operation, Pagination, Streaming } from "./operation.ts";
import type { CallOptions, StreamCallOptions } from "./options.ts";
import { type PageBody, pagesOf } from "./page.ts";
import { promiseOf } from "./promise.ts";
import type { Parts } from "./request.ts";
import type { Fold } from "./result.ts";

/** Sends an operation for its method, and returns what the method returns. */
export type Send = (engine: Engine, operation: Operation, options: CallOptions | undefined, parts: Parts) => unknown;

/** An operation as a generated client exports it. */
export interface Op<Method = unknown> extends Operation {
  /** How its method sends. Default: one call with one answer. */
  readonly send?: Send;
  /** The type of its method. It has no value. */
  readonly "~method"?: Method;
}

/** Sends an operation and returns its answer. */
export const call: Send = ({ send, read }, operation, options, parts) => {
  const { open } = operation;
  const isOpen = open === "as" ? Object(options).as === "stream" : open;
  return promiseOf(send(operation, options, parts, isOpen), (answer) => read(answer, operation));
};

const sendPages: Send = ({ send, read }, operation, options, parts) => {
  const page = operation.page as Pagination;
  const query = Object(parts.query);
  return pagesOf<unknown>(page, query[page.cursor], (cursor, make) => {
    const next = { ...parts, query: { ...query, [page.cursor]: cursor } };
    return promiseOf(send(operation, options, next), async (answer) => {
      const body = await read(answer, operation);
      if (Array.isArray(Object(body).data)) return make(body as PageBody<unknown>);
      // Of an answer in which nothing is required, an empty one says that there is nothing.
      if (JSON.stringify(body) === "{}") return make({ data: [] });
      throw new DecodeError("a page", answer);
    });
  });
};

/** A list operation, whose method requests further pages on demand. */
export const paged = (operation: Operation): Op<never> => ({ ...operation, send: sendPages });

/** An operation that streams, always or if its body asks for it. Without `fold`, a stream has no whole answer. */
export const streamed = (operation: Operation, fold?: Fold<never, unknown>): Op<never> => ({
  ...operation,
  send: ({ check, send, read }, { name, stream }, options: StreamCallOptions | undefined, parts) => {
    const streaming = stream as Streaming;
    const { toggle, byDefault = false } = streaming;
    const asked: unknown = toggle === undefined || Object(parts.body)[toggle];
    const open = asked === true || (byDefault && asked !== false);
    return promiseOf<unknown>(send(operation, options, parts, open), async (answer) => {
      if (!open) return read(answer, operation);
      if (!answer.open) throw noStream(answer);
      const folding = options?.accumulate === false ? undefined : fold?.();
      return eventStream(answer, streaming, folding, check && ((item) => check("chunk", name, item)));
    });
  },
});
