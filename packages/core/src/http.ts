import { builder, type HttpOptions } from "./build.ts";
import { decode, decodeError } from "./decode.ts";
import { ConfigurationError } from "./errors/failures.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";
import { exchange } from "./exchange.ts";
import { mergeHeaders } from "./headers.ts";
import { inside } from "./inside.ts";
import type { HttpClient } from "./http-client.ts";
import { logOf } from "./logger.ts";
import type { Method, Operation, Service } from "./operation.ts";
import { type ClientOptions, checkNumbers, copyOptions } from "./options.ts";
import { baseUrlOf } from "./paths.ts";
import { credentialsOf } from "./secret.ts";
import { checker } from "./validate.ts";

type Send = (
  method: Method,
  path: string,
  init?: HttpOptions,
) => Promise<{ response: Response; data?: unknown; error?: unknown; facts?: CallFacts }>;

/**
 * Makes `http` alone, for a program that calls by path and needs no methods.
 * @throws {@link ConfigurationError} naming the option or variable that is missing or wrong.
 */
export function createHttp<Paths>(service: Service, options: ClientOptions): HttpClient<Paths> {
  const send = sender(service, options);
  const http: { [name: string]: unknown } = {};
  for (const { method } of Object.values(service.operations))
    http[method] = (path: string, init?: HttpOptions) => send(method, path, init);
  // The document's types, over what openapi-fetch builds and the engine decodes without knowing them.
  return http as HttpClient<Paths>;
}

function sender(service: Service, given: ClientOptions): Send {
  const options = copyOptions(given);
  const baseUrl = baseUrlOf(service.name, options.baseUrl, service.operations);
  const log = logOf(options.logger, options.logLevel);
  const shared = { client: options, origin: `${new URL(baseUrl).origin}/`, timeout: service.timeout, log };
  const credentials = credentialsOf(service, options);
  const build = builder(service, baseUrl, options);
  const check = checker(options);
  checkNumbers(options);

  const operations = new Map<string, [name: string, operation: Operation]>();
  for (const [name, operation] of Object.entries(service.operations))
    for (const path of [operation.path, ...(operation.aliases ?? [])])
      operations.set(`${operation.method} ${path}`, [name, operation]);

  return async (method, path, given = {}) => {
    const key = `${method} ${path}`;
    const [name, operation] = operations.get(key) ?? [key, { method, path }];
    const { [inside]: own, idempotencyKey, parseAs } = given;
    const facts = { operation: name };
    checkNumbers(given, facts);
    await check?.("request", name, given.body);

    const open = own?.open || parseAs === "stream";
    const request = build(method, path, given, facts);
    const { headers } = request;
    if (!headers.has("accept")) headers.set("accept", own?.open ? "text/event-stream" : "application/json");
    const filled = Object.entries(operation.fill ?? {}).map(([header, option]): [string, string] => {
      const value: unknown = Reflect.get(options, option);
      return [header, typeof value === "string" ? value : ""];
    });
    for (const [header, value] of mergeHeaders(facts, filled))
      if (value && !headers.has(header)) headers.set(header, value);
    if (idempotencyKey !== undefined) {
      if (!operation.keyed || !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
        throw new ConfigurationError(
          operation.keyed
            ? "an idempotencyKey has 1 to 255 visible ASCII characters."
            : "the operation takes no idempotencyKey.",
          facts,
        );
      headers.set("idempotency-key", idempotencyKey);
    }

    const call = { name, operation, request, credentials: credentials.get(operation) ?? [], open };
    const answer = await exchange(shared, call);

    const { response, text } = answer;
    if (!response.ok) {
      if (own) throw own.raise(answer);
      return { error: decodeError(answer), response };
    }
    if (own?.open)
      return { data: { ...answer, check: check && ((item: unknown) => check("chunk", name, item)) }, response };
    if (parseAs === "stream") return { data: response.body, response };
    if (parseAs === "text") return { data: text, response };
    const data = decode(answer);
    await check?.("response", name, data);
    return { data, response, facts: answer.facts };
  };
}
