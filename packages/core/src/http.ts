/**
 * An `openapi-fetch` client that sends its requests through the engine.
 *
 * @module
 */
import createClient, { type Client, type FetchResponse } from "openapi-fetch";
import { decode } from "./decode.ts";
import { jsonOf } from "./errors/response.ts";
import { factsOf } from "./errors/trainyard-error.ts";
import { exchangeOf } from "./exchange.ts";
import type { Answer } from "./answer.ts";
import { limitedBody } from "./limited-body.ts";
import type { Operation, Service } from "./operation.ts";
import type { ClientOptions, KeyedCallOptions } from "./options.ts";
import { parameter, pathText } from "./paths.ts";

/** An `openapi-fetch` client, typed by the document's `paths`. Its middleware and libraries built on it work. */
export type HttpClient<Paths extends {}> = Client<Paths, "application/json">;

/** The result of a call: `data` or `error`, and the response. */
export type HttpResult<Operation> = FetchResponse<Operation & {}, {}, "application/json">;

/** What the guard records about a request before it is sent. */
interface Noted {
  readonly parseAs?: string;
  readonly pathParams?: { readonly [name: string]: unknown };
}

/**
 * Creates an `openapi-fetch` client that sends through the engine: key, retries, limits and redirects are those of the
 * methods. It returns `{ data, error, response }` where methods throw an {@link ApiError}; all other errors are thrown here
 * too. In addition to the options of `openapi-fetch`, a call accepts `timeoutMs`, `totalTimeoutMs`, `maxRetries`,
 * `idempotencyKey` and `fetchOptions`.
 * @throws {@link ConfigurationError} naming the option or variable that is missing or invalid.
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
    // Read the body once, so that retries can send it again.
    const isText = /json|text|urlenc/.test(request.headers.get("content-type") ?? "text");
    const body = (isText && (await request.text())) || null;
    const raw = isText ? null : await request.blob();
    const value = jsonOf(body ?? "");
    await check?.("request", name, value);
    const answer = await send({
      facts: factsOf(name),
      operation,
      url,
      method,
      headers: new Headers(request.headers),
      body,
      raw,
      pathParams: options.pathParams,
      redirect: request.redirect,
      open: operation.answers ? options.parseAs === "stream" : Object(value)[operation.stream?.toggle ?? ""] === true,
      options: { ...options, fetchOptions: { ...options, ...options.fetchOptions } },
    });
    // Decode here: the SyntaxError of `openapi-fetch` would not name the operation.
    if (answer.response.ok && operation.answers && service.answers)
      return service.answers.response(answer, operation.answers, options.parseAs);
    if (answer.response.ok && !answer.open && options.parseAs === "json") {
      const data = decode(answer);
      await check?.("response", name, data);
    }
    return responseOf(answer);
  };

  const client = createClient<Paths, "application/json">({ baseUrl, headers, fetch });
  client.use({
    // Rejects path parameters that would change the path before anything is sent: with the id `.`, the deletion of a
    // model's checkpoints would become the deletion of the model. `join` gives lists their text, and nothing an empty one.
    onRequest: ({ request, schemaPath, params: { path: pathParams }, options: { parseAs } }) => {
      schemaPath.replace(parameter, (_, name: string) =>
        pathText(name, [pathParams?.[name]].join(), factsOf(routeOf(request.method, schemaPath)[0])),
      );
      Object.assign(request, { parseAs, pathParams });
    },
  });
  return client;
}

/**
 * The options of a call: those that `openapi-fetch` copies onto a request because `Request` lacks them, and the request's
 * own.
 */
function optionsOf(request: Request): KeyedCallOptions & Noted {
  const options: { [name: string]: unknown } = {};
  // Most of these are on the prototype.
  for (const name in request) options[name] = Reflect.get(request, name);
  return options;
}

/** An operation, and a pattern for one of its paths. */
type Route = readonly [name: string, operation: Operation, pattern: RegExp];

/** The operations by path, with the most literal text first: `/maps/all`, then `/maps/{id}.json`, then `/maps/{id}`. */
function routesOf({ operations }: Service): Route[] {
  const literal = ([, { path }]: Route): number => path.replace(parameter, "").length;
  return Object.entries(operations)
    .flatMap(([name, operation]) =>
      [operation.path, ...(operation.aliases ?? [])].map((path): Route => {
        const plain = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
        return [name, operation, new RegExp(`^${plain.replace(parameter, "[^/]+")}$`)];
      }),
    )
    .toSorted((a, b) => literal(b) - literal(a));
}

/** Converts an answer to a response. A body was read within the limits of its attempt; a stream stays under them. */
function responseOf(answer: Answer): Response {
  return new Response(answer.open ? limitedBody(answer) : answer.text || null, answer.response);
}
