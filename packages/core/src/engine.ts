import { type HttpResult, initOf, promiseOf } from "./call.ts";
import { members } from "./errors/api-error.ts";
import { ConfigurationError, DecodeError, StreamError } from "./errors/failures.ts";
import { messageOf } from "./errors/raise.ts";
import { eventStream } from "./event-stream.ts";
import type { Answer } from "./exchange.ts";
import { createHttp } from "./http.ts";
import type { HttpClient } from "./http-client.ts";
import type { Operations, Service } from "./operation.ts";
import type { CallOptions, ClientOptions, StreamCallOptions } from "./options.ts";
import type { CallInit } from "./inside.ts";
import { pagesOf } from "./page.ts";
import { discard } from "./redirect.ts";
import type { ApiPromise, Fold, PagePromise, Streamed } from "./result.ts";

/** The engine of a client: what its methods are written with. */
export interface Engine<Paths, Name extends string> {
  readonly http: HttpClient<Paths>;
  /** Sends an operation and gives its answer, or throws. */
  call<Data>(options: CallOptions | undefined, send: (init: CallInit) => Promise<HttpResult<Data>>): ApiPromise<Data>;
  /** Sends a list operation, and its next pages when they are asked for. */
  page<Item, Query extends object>(
    name: Name,
    query: Query | undefined,
    options: CallOptions | undefined,
    send: (query: Query, init: CallInit) => Promise<HttpResult<{ data: Item[] }>>,
  ): PagePromise<Item>;
  /** Sends an operation that streams where its body says so. */
  stream<Body extends object, Item, Final, S>(
    name: Name,
    body: Body & { stream?: S },
    options: StreamCallOptions | undefined,
    send: (body: Body, init: CallInit) => Promise<HttpResult<Final>>,
    fold: Fold<NoInfer<Item>, NoInfer<Final>>,
  ): ApiPromise<Streamed<S, Item, Final>>;
}

/**
 * Makes the engine of a client.
 * @throws {@link ConfigurationError} naming the option or variable that is missing or wrong.
 */
export function createEngine<Paths, Table extends Operations = Operations>(
  service: Service<Table>,
  options: ClientOptions,
): Engine<Paths, keyof Table & string> {
  const { operations } = service;
  const http = createHttp<Paths>(service, options);
  return {
    http,
    call: (options, send) => promiseOf(send(initOf(options)), ({ data }) => data),

    page: (name, query, options, send) => {
      const paging = required(operations[name]?.page, name);
      const start = query && Reflect.get(query, paging.cursor);
      return pagesOf(paging, start, (cursor, make) => {
        // The caller's query with the cursor in it: of the same type, as the cursor is one of its members.
        const next = { ...query, ...(cursor !== undefined && { [paging.cursor]: cursor }) } as NonNullable<
          typeof query
        >;
        return promiseOf(send(next, initOf(options)), ({ data, response, facts }) => {
          // Unchecked, an answer may be anything, nothing included.
          if (Array.isArray((data as typeof data | undefined | null)?.data)) return make(data);
          throw new DecodeError("page", facts, response);
        });
      });
    },

    stream: <Body extends object, Item, Final, S>(
      name: keyof Table & string,
      body: Body & { stream?: S },
      options: StreamCallOptions | undefined,
      send: (body: Body, init: CallInit) => Promise<HttpResult<Final>>,
      fold: Fold<Item, Final>,
    ) => {
      const { toggle, end } = required(operations[name]?.stream, name);
      const open = Reflect.get(Object(body), toggle) === true;
      return promiseOf(send(body, initOf(options, open)), async ({ data, response }) => {
        if (!open) return data as Streamed<S, Item, Final>;
        // Asked to leave it open, `http` gives the answer itself, whatever the types of the operation say.
        const answer = data as unknown as Answer;
        if (!response.headers.get("content-type")?.includes("event-stream")) throw await noStream(answer);
        const folding = options?.accumulate === false ? undefined : fold();
        return eventStream<Item, Final>(answer, end, folding) as Streamed<S, Item, Final>;
      });
    },
  };
}

/** The error of a successful answer that is no stream. As JSON it may say what failed, whatever its status. */
async function noStream({ response, facts, limit, idleMs }: Answer): Promise<Error> {
  try {
    if (response.headers.get("content-type")?.includes("json")) {
      const body: unknown = JSON.parse(await limit.within(idleMs, () => response.text()));
      const said = members(body).error ? messageOf(body) : undefined;
      if (said) return new StreamError(`${facts.operation}: the stream failed: ${said}`, facts);
    } else discard(response);
  } catch (error) {
    // A limit of the call is over. What is no JSON after all is no stream either.
    if (limit.signal.aborted) return error as Error;
  } finally {
    limit.release();
  }
  return new DecodeError("stream", facts, response);
}

function required<Value>(value: Value | undefined, name: string): Value {
  if (value) return value;
  throw new ConfigurationError(`${name} cannot be called like this.`);
}
