/**
 * An `openapi-fetch` client that sends its requests through the engine.
 *
 * @module
 */
import createClient, { defaultBodySerializer, type Client, type FetchResponse } from "openapi-fetch";
import { decode, noStream } from "./decode.ts";
import { jsonOf } from "./errors/response.ts";
import { factsOf } from "./errors/trainyard-error.ts";
import { exchangeOf } from "./exchange.ts";
import { limitedBody } from "./limited-body.ts";
import type { Operation, Service } from "./operation.ts";
import type { ClientOptions, KeyedCallOptions } from "./options.ts";
import { parameter, pathText } from "./paths.ts";
import { checkFinite } from "./request.ts";

/** An `openapi-fetch` client, typed by the document's `paths`. Its middleware and libraries built on it work. */
export type HttpClient<Paths extends {}> = Client<Paths, "application/json">;

/** The result of a call: `data` or `error`, and the response. */
export type HttpResult<Operation> = FetchResponse<Operation & {}, {}, "application/json">;

/** A call: its options, what `openapi-fetch` makes of them, and what the guard adds. */
interface Noted extends KeyedCallOptions, Pick<RequestInit, "body"> {
  operation?: Operation;
  parseAs?: string;
  pathParams?: { readonly [name: string]: unknown };
}

/** A request, and the call that it was made from. */
interface NotedRequest extends Request {
  readonly call?: Noted;
}

/**
 * Creates an `openapi-fetch` client that sends through the engine: key, retries, limits and redirects are those of the
 * methods. It returns `{ data, error, response }` where methods throw an {@link ApiError} for a status; all other errors are
 * thrown here too, and so is an error that the body of a success reports. In addition to the options of `openapi-fetch`, a call accepts `timeoutMs`, `totalTimeoutMs`, `maxRetries`,
 * `idempotencyKey` and `fetchOptions`.
 * @throws {@link ConfigurationError} naming the option or variable that is missing or invalid.
 */
export function createHttp<Paths extends {}>(
  service: Service,
  options: ClientOptions,
  operations: readonly Operation[],
): HttpClient<Paths> {
  const { baseUrl, common: headers, check, send } = exchangeOf(service, options, operations);
  const rows = rowsOf(operations);
  const operationOf = (method: string, path: string): Operation => {
    const key = `${method} ${path}`;
    return (
      rows[key] ??
      Object.entries(rows).find(([template]) =>
        new RegExp(`^${template.replace(/[^\w{}]/g, "\\$&").replace(parameter, "[^/]+")}$`).test(key),
      )?.[1] ?? { name: key, method: "GET", path, resend: "never", security: [] }
    );
  };

  const fetch = async (request: NotedRequest): Promise<Response> => {
    const { url, method, headers, redirect } = request;
    const options = request.call ?? optionsOf(request);
    const path = url.slice(baseUrl.length).replace(/[?#].*/, "");
    const { operation = operationOf(method, path), body = "", parseAs, pathParams } = options;
    const { name, answers, stream } = operation;
    // Read any other body once, so that retries can send it again.
    const text =
      typeof body === "string"
        ? body
        : /json|text|urlenc/i.test(headers.get("content-type") ?? "text")
          ? await request.text()
          : undefined;
    const value = text && (check ?? stream) ? jsonOf(text) : undefined;
    await check?.("request", name, value);
    const open = answers ? parseAs === "stream" : Object(value)[stream?.toggle ?? ""] === true;
    const answer = await send({
      facts: factsOf(name),
      operation,
      url,
      method,
      headers: new Headers(headers),
      body: text || null,
      raw: text === undefined ? await request.blob() : null,
      pathParams,
      redirect,
      open,
      options: { ...options, fetchOptions: { ...options, ...options.fetchOptions } },
    });
    const { ok } = answer.response;
    // Decode here: the SyntaxError of `openapi-fetch` would not name the operation.
    if (ok && answers) return answers.response(answer, parseAs);
    if (ok && open && !answer.open) throw noStream(answer);
    // A body was read within the limits of its attempt; a stream stays under them.
    const response = new Response(answer.open ? limitedBody(answer) : answer.text || null, answer.response);
    if (ok && !answer.open && parseAs === "json") {
      const data = decode(answer);
      if (data !== undefined) await check?.("response", name, data);
      response.json = async () => data;
    }
    return response;
  };

  const client = createClient<Paths, "application/json">({
    baseUrl,
    headers,
    fetch,
    bodySerializer: (...body) => {
      // Refuses a circle, in which the search would have no end.
      const text = defaultBodySerializer(...body);
      checkFinite(body[0]);
      return text;
    },
    // Keeps the options of a call, which are cheaper to read than a request and its body. Middleware may replace it.
    Request: new Proxy(Request, {
      construct: (Native, [url, call]) => Object.assign(new Native(url, call), { call }),
    }),
  });
  client.use({
    // Rejects path parameters that would change the path before anything is sent: with the id `.`, the deletion of a
    // model's checkpoints would become the deletion of the model. `join` gives lists their text, and nothing an empty one.
    onRequest: ({ request, schemaPath, params: { path: pathParams }, options: { parseAs } }) => {
      const operation = operationOf(request.method, schemaPath);
      const facts = factsOf(operation.name);
      schemaPath.replace(parameter, (_, param: string) => pathText(param, [pathParams?.[param]].join(), facts));
      Object.assign((request as NotedRequest).call ?? request, { operation, parseAs, pathParams });
    },
  });
  return client;
}

/** The options of a request that `openapi-fetch` did not make. */
function optionsOf(request: Request): Noted {
  // Some browsers' requests have no `body`.
  const options: { [name: string]: unknown } = { body: null };
  // Most properties are on the prototype.
  for (const name in request) options[name] = request[name as keyof Request];
  return options;
}

/** The operations by path, with the most literal text first: `/maps/all`, then `/maps/{id}.json`, `/maps/{id}`. */
function rowsOf(operations: readonly Operation[]): { readonly [methodAndPath: string]: Operation } {
  const literal = ([key]: readonly [string, Operation]): number => key.replace(parameter, "").length;
  return Object.fromEntries(
    operations
      .flatMap((operation) =>
        [operation.path, ...(operation.aliases ?? [])].map((one) => [`${operation.method} ${one}`, operation] as const),
      )
      .toSorted((a, b) => literal(b) - literal(a)),
  );
}
