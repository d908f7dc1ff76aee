/**
 * The other door to a service: a client of the package `openapi-fetch`, which sends by the engine.
 *
 * @module
 */
import createClient, { type Client, type FetchResponse } from "openapi-fetch";
import { decode, jsonOf } from "./decode.ts";
import { StreamError } from "./errors/failures.ts";
import { factsOf } from "./errors/trainyard-error.ts";
import { type Answer, exchangeOf } from "./exchange.ts";
import type { Operation, Service } from "./operation.ts";
import type { ClientOptions, KeyedCallOptions } from "./options.ts";
import { parameter, pathText } from "./paths.ts";

/** A client of `openapi-fetch`, typed by the document's `paths`. What is made for such clients works with it. */
export type HttpClient<Paths extends {}> = Client<Paths, "application/json">;

/** What a call of an operation gives: `data` or `error`, and the response. */
export type HttpResult<Operation> = FetchResponse<Operation & {}, {}, "application/json">;

/** What the guard notes on a request before it is sent. */
interface Noted {
  readonly parseAs?: string;
  readonly pathParams?: { readonly [name: string]: unknown };
}

/**
 * Makes a client of `openapi-fetch` that sends by the engine: with the key, attempts, limits and redirects of the methods. It
 * gives `{ data, error, response }` where methods throw an {@link ApiError}; all other errors are thrown here too. A call takes
 * `timeoutMs`, `totalTimeoutMs`, `maxRetries`, `idempotencyKey` and `fetchOptions` beside what `openapi-fetch` takes.
 * @throws {@link ConfigurationError} naming the option or variable that is missing or wrong.
 */
export function createHttp<Paths extends {}>(service: Service, options: ClientOptions): HttpClient<Paths> {
  const { baseUrl, common: headers, check, send } = exchangeOf(service, options);
  const routes = routesOf(service);
  const routeOf = (method: string, path: string): readonly [name: string, operation: Operation, ...unknown[]] =>
    routes.find(([, operation, pattern]) => operation.method === method && pattern.test(path)) ?? [
      `${method} ${path}`,
      { method: "GET", path },
    ];

  const fetch = async (request: Request): Promise<Response> => {
    const { url, method } = request;
    const [path = ""] = url.slice(baseUrl.length).split(/[?#]/);
    const [name, operation] = routeOf(method, path);
    const options = optionsOf(request);
    // Read once, and sent again as it is.
    const body = (await request.text()) || null;
    const value = jsonOf(body ?? "");
    await check?.("request", name, value);
    const answer = await send({
      facts: factsOf(name),
      operation,
      url,
      method,
      headers: new Headers(request.headers),
      body,
      pathParams: options.pathParams,
      redirect: request.redirect,
      open: Object(value)[operation.stream?.toggle ?? ""] === true,
      options: { ...options, fetchOptions: { ...options, ...options.fetchOptions } },
    });
    // Read as JSON, what is none would be an error without a word of the operation.
    if (answer.response.ok && !answer.open && options.parseAs === "json") {
      const data = decode(answer);
      await check?.("response", name, data);
    }
    return responseOf(answer);
  };

  const client = createClient<Paths, "application/json">({ baseUrl, headers, fetch });
  client.use({
    // Refuses path parameters that would name another path, before anything is sent: with `.` for an id, the deletion of a
    // model's checkpoints would be that of the model.
    onRequest: ({ request, schemaPath, params: { path: pathParams }, options: { parseAs } }) => {
      const facts = factsOf(routeOf(request.method, schemaPath)[0]);
      schemaPath.replace(parameter, (_, name: string) => pathText(name, pathParams?.[name], facts));
      Object.assign(request, { parseAs, pathParams });
    },
  });
  return client;
}

/** The options of a call: what `openapi-fetch` copies onto a request, since `Request` lacks it, beside the request's own. */
function optionsOf(request: Request): KeyedCallOptions & Noted {
  const options: { [name: string]: unknown } = {};
  // Most stand on the prototype.
  for (const name in request) options[name] = Reflect.get(request, name);
  return options;
}

/** An operation, and what the addresses of one of its paths look like. */
type Route = readonly [name: string, operation: Operation, pattern: RegExp];

/** The operations by their paths: those with fewer parameters first, `/models/all` before `/models/{id}`. */
function routesOf({ operations }: Service): Route[] {
  const parameters = ([, { path }]: Route): number => path.split("{").length;
  return Object.entries(operations)
    .flatMap(([name, operation]) =>
      [operation.path, ...(operation.aliases ?? [])].map((path): Route => {
        const plain = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
        return [name, operation, new RegExp(`^${plain.replace(parameter, "[^/]+")}$`)];
      }),
    )
    .toSorted((a, b) => parameters(a) - parameters(b));
}

/** The answer as a response: its body has been read within the limits of its attempt, and a stream stays under them. */
function responseOf({ response, text, facts, open, limit }: Answer): Response {
  const reader = open && response.body?.getReader();
  const body = reader
    ? new ReadableStream<Uint8Array>({
        start: (to) =>
          limit.onStop((reason) => {
            to.error(reason);
            reader.cancel().catch(() => {});
          }),
        pull: async (to) => {
          limit.start();
          const { value } = await reader.read().catch((cause: unknown) => {
            throw new StreamError("the stream broke.", facts, { cause });
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
    : text || null;
  return new Response(body, response);
}
