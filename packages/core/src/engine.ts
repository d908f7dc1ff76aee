import type { Answer } from "./answer.ts";
import { decode } from "./decode.ts";
import { apiErrorOf } from "./errors/api-error-of.ts";
import { factsOf } from "./errors/trainyard-error.ts";
import { exchangeOf } from "./exchange.ts";
import { mergeHeaders } from "./headers.ts";
import type { Operation, Service } from "./operation.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import { addressOf, bodyOf, type Parts } from "./request.ts";
import type { Check } from "./validate.ts";

/** The engine of a client: sends operations, and reads their answers. */
export interface Engine {
  readonly check: Check | undefined;
  /** Sends an operation. With `open`, the body of the answer is returned unread. */
  readonly send: (
    operation: Operation,
    options: CallOptions | undefined,
    parts: Parts,
    open?: boolean,
  ) => Promise<Answer>;
  /** What a method returns for an answer. */
  readonly read: (answer: Answer, operation: Operation) => Promise<unknown>;
}

/**
 * Creates the engine of a client of these operations.
 * @throws {@link ConfigurationError} naming the option or variable that is missing or invalid.
 */
export function createEngine(service: Service, client: ClientOptions, operations: readonly Operation[]): Engine {
  const { baseUrl, common, check, send } = exchangeOf(service, client, operations);
  return {
    check,
    send: async (operation, given = {}, parts, open = false) => {
      const { name, method, cookies, write } = operation;
      const options: CallOptions = cookies ? cookies(given) : given;
      const facts = factsOf(name);
      await check?.("request", name, parts.body);
      const { body = null, raw = null, type, ...changed } = await bodyOf(parts.body, write, options, facts);
      const answer = await send({
        facts,
        operation,
        url: baseUrl + addressOf(operation, parts, options, facts),
        method,
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
    },
    // The types assume that the response follows the contract. Only `validators` check it.
    read: async (answer, { name, accept, answers }) => {
      const data = answers ? await answers.data(answer) : accept ? answer.text : decode(answer);
      if (data !== undefined) await check?.("response", name, data);
      return data;
    },
  };
}
