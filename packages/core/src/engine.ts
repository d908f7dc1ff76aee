import { decode, noStream } from "./decode.ts";
import { DecodeError } from "./errors/failures.ts";
import { apiErrorOf } from "./errors/api-error-of.ts";
import { eventStream } from "./event-stream.ts";
import { factsOf } from "./errors/trainyard-error.ts";
import { exchangeOf } from "./exchange.ts";
import type { Answer } from "./answer.ts";
import { mergeHeaders } from "./headers.ts";
import type { Operation, Operations, Service } from "./operation.ts";
import type { CallOptions, ClientOptions, StreamCallOptions } from "./options.ts";
import { type PageBody, pagesOf } from "./page.ts";
import { promiseOf } from "./promise.ts";
import { addressOf, bodyOf, type Parts } from "./request.ts";
import type { ApiPromise, Fold, PagePromise, Streamed } from "./result.ts";

/**
 * The engine of a client. The generated methods name the operation; generated type tests compare the result types that they
 * declare with the document's `paths`.
 */
export interface Engine<Name extends string> {
  /** Sends an operation and returns its answer. */
  call<Data>(name: Name, options: CallOptions | undefined, parts?: Parts): ApiPromise<Data>;
  /** Sends a list operation, and requests further pages on demand. */
  page<Item>(name: Name, options: CallOptions | undefined, parts?: Parts): PagePromise<Item>;
  /** Sends an operation that streams if its body asks for it. */
  stream<S, Item, Final>(
    name: Name,
    options: StreamCallOptions | undefined,
    parts: Parts,
    fold: Fold<NoInfer<Item>, NoInfer<Final>>,
  ): ApiPromise<Streamed<S, Item, Final>>;
}

/**
 * Creates the engine of a client.
 * @throws {@link ConfigurationError} naming the option or variable that is missing or invalid.
 */
export function createEngine<Table extends Operations>(
  service: Service<Table>,
  client: ClientOptions,
): Engine<keyof Table & string> {
  const { baseUrl, common, check, send } = exchangeOf(service, client);
  // The generator adds every name that a method calls to the table, with its pagination and streaming.
  const operationOf = (name: string) =>
    service.operations[name] as Operation & Required<Pick<Operation, "page" | "stream">>;

  const sent = async (name: string, options: CallOptions = {}, parts: Parts = {}, open = false): Promise<Answer> => {
    const facts = factsOf(name);
    const operation = operationOf(name);
    await check?.("request", name, parts.body);
    const { body = null, raw = null, type, ...changed } = await bodyOf(parts, options, facts);
    const answer = await send({
      facts,
      operation,
      url: baseUrl + addressOf(operation.path, parts, options, facts),
      method: operation.method,
      headers: mergeHeaders(facts, { "content-type": type }, common, options.headers),
      body,
      raw,
      pathParams: parts.path,
      open,
      options,
      ...changed,
    });
    if (answer.response.ok) return answer;
    throw apiErrorOf(answer);
  };

  const dataOf = async (answer: Answer): Promise<unknown> => {
    const { accept, answers } = operationOf(answer.facts.operation);
    const data = answers ? await service.answers?.data(answer, answers) : accept ? answer.text : decode(answer);
    if (data !== undefined) await check?.("response", answer.facts.operation, data);
    return data;
  };

  return {
    // The types assume that the response follows the contract. Only `validators` check it.
    call: <Data>(name: string, options?: CallOptions, parts?: Parts) =>
      promiseOf(sent(name, options, parts, parts?.open), (answer) => dataOf(answer) as Promise<Data>),

    page: <Item>(name: string, options?: CallOptions, parts?: Parts) => {
      const { page } = operationOf(name);
      const query = Object(parts?.query);
      return pagesOf<Item>(page, query[page.cursor], (cursor, make) => {
        const next = { ...parts, query: { ...query, [page.cursor]: cursor } };
        return promiseOf(sent(name, options, next), async (answer) => {
          const body = await dataOf(answer);
          if (Array.isArray(Object(body).data)) return make(body as PageBody<Item>);
          // Of an answer in which nothing is required, an empty one says that there is nothing.
          if (JSON.stringify(body) === "{}") return make({ data: [] });
          throw new DecodeError("a page", answer);
        });
      });
    },

    stream: <S, Item, Final>(
      name: string,
      options: StreamCallOptions | undefined,
      parts: Parts,
      fold: Fold<Item, Final>,
    ) => {
      const { toggle, end } = operationOf(name).stream;
      const open = Object(parts.body)[toggle] === true;
      return promiseOf<Streamed<S, Item, Final>>(sent(name, options, parts, open), async (answer) => {
        if (open && !answer.open) throw noStream(answer);
        const folding = options?.accumulate === false ? undefined : fold();
        const made: unknown = open
          ? eventStream(answer, end, folding, check && ((item) => check("chunk", name, item)))
          : await dataOf(answer);
        return made as Streamed<S, Item, Final>;
      });
    },
  };
}
