import { isLoopback, isPreflight, originHeaders, preflightHeaders, type AllowsOrigin } from "./cors.ts";
import { Gate } from "./gate.ts";
import { headerSize, limitsOf, type LimitOptions, type Limits } from "./limits.ts";
import { nearestPath } from "./nearest.ts";
import { refuse } from "./refusal.ts";
import { reasonOf, type CommonHeaders } from "./response.ts";
import type { Route } from "./routes.ts";
import { Service, type Api, type ServiceOptions } from "./service.ts";
import { RequestContext } from "./request-context.ts";

/** What is told of a request: no body, no key, no query. */
export interface RequestLog {
  readonly requestId: string;
  readonly method: string;
  /** Without the query, in which a key may stand. */
  readonly path: string;
  readonly status: number;
  /** Until the answer began. */
  readonly milliseconds: number;
  /** The document and the operation, as in `training models.create`; absent where the request reached none. */
  readonly operation?: string;
  /** Why the request was refused, as the answer says it. */
  readonly reason?: string;
}

/** How documents are served. */
export interface HostOptions extends Partial<Omit<ServiceOptions, "limits">> {
  readonly limits?: LimitOptions | undefined;
  /** Whether pages of an origin may call; those of this machine by default. */
  readonly cors?: AllowsOrigin | undefined;
  /** Answers what no document knows, such as the pages of a site. */
  readonly other?: ((request: Request) => Promise<Response | undefined>) | undefined;
  /** Is told of each request. */
  readonly log?: ((entry: RequestLog, request: Request) => void) | undefined;
}

/** Documents behind one `fetch`. */
export interface Host {
  /**
   * Answers a request.
   *
   * @param headerBytes what the headers take, where that is known without looking through them
   * @param known is called once the caller is known to have a right to call, before the body is read
   * @throws Disconnect where it is planned that the connection breaks; the signal's reason where the request is aborted
   */
  readonly fetch: (request: Request, headerBytes?: number, known?: () => void) => Promise<Response>;
  /** The body for what cannot be read as a request, in the words of the document at the root. */
  readonly unreadable: (status: number, message: string) => Promise<Response>;
  /** Refuses what comes from now on (503), and resolves once nothing is under way. */
  readonly drain: () => Promise<void>;
  /** How much is under way: requests, and of these the streams that are being sent. */
  readonly underWay: () => { readonly requests: number; readonly streams: number };
}

/**
 * Serves documents, each below the path of its first server. A request is judged in one order, whatever the document: route,
 * method, size of the headers, how many are under way, who calls, parameters, body; then the operation's handler answers.
 * Every error is written as the document's own examples show it.
 */
export function host(apis: Api | readonly Api[], options: HostOptions = {}): Host {
  const limits = limitsOf(options.limits);
  const allows = options.cors ?? isLoopback;
  const report = options.report ?? console.error;
  const { faults, violation, unhandled, beside } = options;
  const services = [apis]
    .flat()
    .map((api) => new Service(api, { limits, faults, violation, unhandled, beside, report }));
  const byPrefix = services.toSorted((a, b) => b.prefix.length - a.prefix.length);
  const gate = new Gate(limits.requests);
  const streams = new Set<RequestContext>();
  let draining = false;

  /** What a path leads to: of the documents below whose path it stands, the longest first, the first that knows it. */
  function find(path: string): Found | undefined {
    let nearest: Service | undefined;
    for (const service of byPrefix) {
      const { prefix } = service;
      if (!path.startsWith(prefix) || (path.length > prefix.length && path[prefix.length] !== "/")) continue;
      nearest ??= service;
      const below = path.slice(prefix.length);
      const route = service.route(below);
      if (route !== undefined) return { service, path: below, route };
    }
    const service = nearest ?? byPrefix.at(-1);
    return service && { service, path, route: undefined };
  }

  async function answer(request: Request, path: string, arrival: Arrived): Promise<Response> {
    const { headerBytes, common, known } = arrival;
    const found = find(path);
    if (found === undefined) return new Response(null, { status: 404, headers: common });
    const { service, route } = found;
    const { method, headers } = request;
    if (draining) {
      return service.refuse(undefined, refuse(503, "The server is shutting down.", { code: "unavailable" }), common);
    }
    if (route === undefined) {
      const other = await options.other?.(request);
      return other ? withHeaders(other, common) : service.refuse(undefined, unknownUrl(method, path, services), common);
    }
    const operation = route.operations.get(method === "HEAD" ? "GET" : method) ?? route.operations.get(method);
    if (operation === undefined) {
      if (isPreflight(method, headers)) {
        return new Response(null, {
          status: 204,
          headers: { ...common, ...preflightHeaders(headers, route.allow, allows) },
        });
      }
      const message = `${method} cannot be used here. Use ${route.allow.join(", ")}.`;
      const response = await service.refuse(undefined, refuse(405, message, { code: "method_not_allowed" }), common);
      return withHeaders(response, { Allow: route.allow.join(", ") });
    }
    if (headerBytes > limits.headerBytes) {
      const message = `The headers are larger than ${limits.headerBytes} bytes.`;
      return service.refuse(undefined, refuse(431, message, { code: "headers_too_large" }), common);
    }
    arrival.operation = `${service.name} ${operation.name}`;
    const leave = service.isUngated(operation) ? nobody : gate.enter();
    if (leave === undefined) {
      const message = `More than ${limits.requests} requests are under way. Wait for some of them.`;
      return service.refuse(operation, refuse(429, message, { code: "rate_limit_exceeded" }), common);
    }
    const parts = {
      document: service.name,
      operation,
      path: found.path,
      params: route.params,
      limits: bodyLimits(limits, operation.name),
      answerHeaders: common,
      known,
    };
    const context: RequestContext = new RequestContext(request, parts, () => {
      streams.delete(context);
      leave();
    });
    try {
      const response = await service.perform(context);
      if (context.lasts) streams.add(context);
      return response;
    } catch (error) {
      context.lasts = false;
      throw error;
    } finally {
      // What is there at once is sent at once; only a stream can last.
      if (!context.lasts) leave();
    }
  }

  return {
    async fetch(request, headerBytes = headerSize([...request.headers].flat()), known = nobody) {
      const start = performance.now();
      const path = pathOf(request.url);
      const requestId = newRequestId();
      // Known before there is an answer: to add a header to one costs more than to make it.
      const common = { "x-request-id": requestId, ...originHeaders(request.headers, allows) };
      const arrival: Arrived = { headerBytes, common, known, operation: undefined };
      const whole = await answer(request, path, arrival);
      const response = request.method === "HEAD" ? headOf(whole) : whole;
      if (options.log === undefined) return response;
      const milliseconds = Math.round((performance.now() - start) * 10) / 10;
      const { operation } = arrival;
      const reason = reasonOf(whole);
      const { method } = request;
      const entry = { requestId, method, path, status: response.status, milliseconds };
      options.log(
        { ...entry, ...(operation !== undefined && { operation }), ...(reason !== undefined && { reason }) },
        request,
      );
      return response;
    },
    async unreadable(status, message) {
      const common = { "x-request-id": newRequestId() };
      const service = find("/")?.service;
      return service
        ? service.refuse(undefined, refuse(status, message, { code: "unreadable" }), common)
        : new Response(null, { status, headers: common });
    },
    async drain() {
      draining = true;
      await gate.idle();
      await Promise.all(services.map((service) => service.close()));
    },
    underWay: () => ({ requests: gate.active, streams: streams.size }),
  };
}

const nobody = (): void => undefined;

/** A request as it came. */
interface Arrived {
  readonly headerBytes: number;
  /** What every answer carries. */
  readonly common: CommonHeaders;
  readonly known: () => void;
  /** Where it led to, once that is known. */
  operation: string | undefined;
}

interface Found {
  readonly service: Service;
  /** Without the path of the document's server, where there is a route. */
  readonly path: string;
  readonly route: Route | undefined;
}

function unknownUrl(method: string, path: string, services: readonly Service[]) {
  const there = services.flatMap(({ prefix, document }) =>
    document.operations.map((operation) => ({ method: operation.method, path: prefix + operation.path })),
  );
  const nearest = nearestPath(
    path,
    there.map((one) => one.path),
  );
  const meant =
    there.find((one) => one.path === nearest && one.method === method) ?? there.find((one) => one.path === nearest);
  const hint = meant === undefined ? "" : ` Did you mean ${meant.method} ${meant.path}?`;
  return refuse(404, `No operation matches ${method} ${path}.${hint}`, { code: "unknown_url" });
}

function bodyLimits({ body, bytesOf }: Limits, operation: string): Limits["body"] {
  const bytes = bytesOf[operation];
  return bytes === undefined ? body : { ...body, bytes };
}

function newRequestId(): string {
  return `req_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** The same answer without its body. */
function headOf(response: Response): Response {
  void response.body?.cancel();
  return new Response(null, { status: response.status, headers: response.headers });
}

/** The path of an address, as it is written. Parsing the whole address would cost more than finding its route. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.slice(start).search(/[?#]/);
  return start < 0 ? "/" : url.slice(start, end < 0 ? undefined : start + end);
}
