import { nearest } from "@trainyard/document";
import { StreamRefusal } from "./answer.ts";
import { isPreflight, originHeaders, preflightHeaders } from "./cors.ts";
import type { Caller } from "./keys.ts";
import { lastMs } from "./graceful-shutdown.ts";
import { headerSize, limitsOf, named, type LimitOptions, type Limits } from "./limits.ts";
import { refuse } from "./refusal.ts";
import { reasonOf, type CommonHeaders } from "./response.ts";
import type { Route } from "./routes.ts";
import { Service, type Api, type ServiceOptions } from "./service.ts";
import { authorize, RequestContext, type Sender } from "./request-context.ts";
import { Slots } from "./slots.ts";
import type { StreamOutcome } from "./streams.ts";

/** What is logged about a request: no body, no key, no query. */
export interface RequestLog {
  readonly requestId: string;
  readonly method: string;
  /** Without the query, which may contain a key. */
  readonly path: string;
  readonly status: number;
  /** Milliseconds until the response began. */
  readonly milliseconds: number;
  /** The document and the operation, as in `training models.create`; absent if no operation matched. */
  readonly operation?: string;
  /** Why the request was rejected, in the words of the response; why a stream was cut. */
  readonly reason?: string;
  /** Who sent it; absent without a valid credential. */
  readonly caller?: Caller;
  /** The address of the client; absent without a port. */
  readonly client?: string;
  /**
   * How a stream ended that was not completed: left by its reader, or cut by its source. Such an entry is the second of its
   * request, with the milliseconds until that end.
   */
  readonly outcome?: "aborted" | "cut";
}

/** Options of a host. */
export interface HostOptions extends Partial<ServiceOptions> {
  readonly limits?: LimitOptions | undefined;
  /** Handles requests that match no document, such as those for the pages of a site. */
  readonly other?:
    | ((request: Request, onAuthorized: (caller: Caller) => void) => Promise<Response | undefined>)
    | undefined;
  /** Called for each request. */
  readonly log?: ((entry: RequestLog, request: Request) => void) | undefined;
}

/** Documents served by one `fetch`. */
export interface Host {
  /**
   * Handles a request.
   *
   * @param headerBytes the size of the headers, if the caller knows it
   * @param onAuthorized called after the caller is authorized, before the body is read
   * @param client the address of the client, for the log
   * @throws Disconnect if a plan breaks the connection; the signal's reason if the request is aborted
   */
  readonly fetch: (
    request: Request,
    headerBytes?: number,
    onAuthorized?: () => void,
    client?: string,
  ) => Promise<Response>;
  /** The body for a request that cannot be parsed, in the form of the document at the root. */
  readonly unreadable: (status: number, message: string) => Promise<Response>;
  /**
   * Rejects new requests (503), and resolves when no request is running.
   *
   * @param ms after so many milliseconds, streams are cut with an event that says why, and soon it resolves in any case.
   *   Default: it waits for all
   */
  readonly drain: (ms?: number) => Promise<void>;
  /** @throws Error while a thread that validates bodies gives no sign of life */
  readonly check: () => void;
  /** The number of running requests, and of streams among them. */
  readonly underWay: () => { readonly requests: number; readonly streams: number };
}

/**
 * Serves documents, each below the path of its first server. Every request is validated in the same order: route, method,
 * size of the headers, credentials, number of running requests, parameters, body. Then the operation's handler responds.
 * Every error has the form of the document's own examples.
 */
export function host(apis: Api | readonly Api[], options: HostOptions = {}): Host {
  return new DocumentHost([apis].flat(), options);
}

class DocumentHost implements Host {
  readonly #options: HostOptions;
  readonly #limits: Limits;
  readonly #slots: Slots;
  readonly #services: readonly Service[];
  /** With the longest prefix first. */
  readonly #byPrefix: readonly Service[];
  /**
   * The number of running requests, except those of ungated operations. With a set of them, requests that had ended stayed in
   * memory until V8 collected the whole heap, as measured under load.
   */
  #running = 0;
  /** Those of them that have answered by a stream. */
  readonly #streams = new Set<RequestContext>();
  #idle: (() => void)[] = [];
  #draining = false;

  constructor(apis: readonly Api[], options: HostOptions) {
    this.#options = options;
    this.#limits = limitsOf(options.limits);
    this.#slots = new Slots(this.#limits.requests, this.#limits.names.requests);
    this.#services = apis.map((api) => new Service(api, { ...options, report: options.report ?? console.error }));
    this.#byPrefix = this.#services.toSorted((a, b) => b.prefix.length - a.prefix.length);
  }

  readonly fetch: Host["fetch"] = async (
    request,
    headerBytes = headerSize([...request.headers].flat()),
    onAuthorized = ignore,
    client,
  ) => {
    const start = performance.now();
    const { method } = request;
    const path = pathOf(request.url);
    const requestId = newRequestId();
    // Computed before the response: adding a header to a response costs more than creating it.
    const common = { "x-request-id": requestId, ...originHeaders(request.headers) };
    // No function here holds the request: such functions kept requests that had ended, as a set of them does.
    const arrival: Arrived = { headerBytes, common, onAuthorized, operation: undefined, caller: undefined };
    const whole = await this.#answer(request, path, arrival);
    const response = method === "HEAD" ? headOf(whole) : whole;
    if (this.#options.log === undefined) return response;
    const milliseconds = since(start);
    const { operation, caller } = arrival;
    const reason = reasonOf(whole);
    const entry = { requestId, method, path, status: response.status, milliseconds };
    const who = { ...(caller && { caller }), ...(client !== undefined && { client }) };
    const more = { ...(operation !== undefined && { operation }), ...(reason !== undefined && { reason }), ...who };
    const { log } = this.#options;
    log({ ...entry, ...more }, request);
    arrival.ended = (outcome, why) => {
      const details = { milliseconds: since(start), ...(why !== undefined && { reason: why }) };
      if (outcome !== "completed") log({ ...entry, ...more, ...details, outcome }, request);
    };
    return response;
  };

  readonly unreadable: Host["unreadable"] = async (status, message) => {
    const common = { "x-request-id": newRequestId() };
    const code = status === 431 ? "headers_too_large" : "unreadable";
    const response = this.#find("/")?.service.refuse(undefined, refuse(status, message, { code }), common);
    return response ?? new Response(null, { status, headers: common });
  };

  readonly drain: Host["drain"] = async (ms) => {
    this.#draining = true;
    const idle = this.#running > 0 && new Promise<void>((resolve) => this.#idle.push(resolve));
    if (ms === undefined) await idle;
    else if (!(await within(ms, idle))) {
      for (const { cut } of this.#streams) cut?.(new StreamRefusal(shuttingDown));
      await within(2 * lastMs, idle);
    }
    await Promise.all(this.#services.map(({ bodies }) => bodies.close()));
  };

  readonly check: Host["check"] = () => {
    for (const { bodies } of this.#services) bodies.check();
  };

  readonly underWay: Host["underWay"] = () => ({
    requests: this.#running,
    streams: this.#streams.size,
  });

  /** The route of a path. If several documents match, the one with the longest base path that knows the path wins. */
  #find(path: string): Found | undefined {
    let longest: Service | undefined;
    for (const service of this.#byPrefix) {
      const { prefix } = service;
      if (!path.startsWith(prefix) || (path.length > prefix.length && path[prefix.length] !== "/")) continue;
      longest ??= service;
      const below = path.slice(prefix.length);
      const route = service.route(below);
      if (route !== undefined) return { service, path: below, route };
    }
    const service = longest ?? this.#byPrefix.at(-1);
    return service && { service, path, route: undefined };
  }

  async #answer(request: Request, path: string, arrival: Arrived): Promise<Response> {
    const { common } = arrival;
    const found = this.#find(path);
    if (found === undefined) return new Response(null, { status: 404, headers: common });
    const { service, route } = found;
    const { method, headers } = request;
    if (this.#draining) {
      return service.refuse(undefined, shuttingDown, common);
    }
    if (route === undefined) {
      const other = await this.#options.other?.(request, (caller) => authorize(arrival, caller));
      if (other !== undefined) return withHeaders(other, common);
      return service.refuse(undefined, unknownUrl(request, path, this.#services), common);
    }
    const operation = route.operations.get(method === "HEAD" ? "GET" : method) ?? route.operations.get(method);
    if (operation !== undefined) return this.#perform(request, { ...found, operation, params: route.params }, arrival);
    if (isPreflight(method, headers)) {
      const allowed = preflightHeaders(headers, route.allow);
      return new Response(null, { status: 204, headers: { ...common, ...allowed } });
    }
    const message = `${method} is not allowed here. Use ${route.allow.join(", ")}.`;
    const response = service.refuse(undefined, refuse(405, message, { code: "method_not_allowed" }), common);
    return withHeaders(response, { Allow: route.allow.join(", ") });
  }

  async #perform(request: Request, { service, path, operation, params }: Matched, arrival: Arrived): Promise<Response> {
    const { headerBytes, common: answerHeaders } = arrival;
    const { name: document } = service;
    const limits = this.#limits;
    if (headerBytes > limits.headerBytes) {
      const message = `The headers are larger than ${limits.headerBytes} bytes${named(limits.names.headerBytes)}.`;
      return service.refuse(undefined, refuse(431, message, { code: "headers_too_large" }), answerHeaders);
    }
    arrival.operation = `${document} ${operation.name}`;
    const isUngated = service.isUngated(operation);
    const bytes = limits.bodyBytesOf[operation.name] ?? limits.bodyBytesOf[arrival.operation] ?? limits.bodyBytes;
    const values = limits.bodyValuesOf[arrival.operation];
    const body = { bytes, values, depth: limits.bodyDepth, names: limits.names };
    const parts = {
      document,
      operation,
      path,
      params,
      limits: body,
      answerHeaders,
      sender: arrival,
      isRunning: !isUngated,
      slots: isUngated ? undefined : this.#slots,
    };
    const context = new RequestContext(request, parts, this.#leave);
    if (!isUngated) this.#running++;
    try {
      return await service.perform(context);
    } catch (error) {
      context.lasts = false;
      throw error;
    } finally {
      // Complete bodies are sent at once; only a stream can last.
      if (!context.lasts) this.#leave(context);
      else if (context.isRunning) this.#streams.add(context);
    }
  }

  readonly #leave = (context: RequestContext, outcome?: StreamOutcome, reason?: string): void => {
    if (context.isRunning) {
      context.isRunning = false;
      context.release();
      this.#streams.delete(context);
      if (--this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
    if (outcome !== undefined) context.sender.ended?.(outcome, reason);
  };
}

const shuttingDown = refuse(503, "The server is shutting down.", { code: "unavailable" });

/** Whether something ends within so many milliseconds. */
async function within(ms: number, end: Promise<unknown> | false): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, ms, false)));
  return Promise.race([Promise.resolve(end).then(() => true), late]).finally(() => clearTimeout(timer));
}

const ignore = (): void => undefined;
const since = (start: number): number => Math.round((performance.now() - start) * 10) / 10;

/** A request. */
interface Arrived extends Sender {
  readonly headerBytes: number;
  /** The headers of every response. */
  readonly common: CommonHeaders;
  /** The route, if one matched. */
  operation: string | undefined;
}

type Matched = Pick<RequestContext, "operation" | "path" | "params"> & { readonly service: Service };

interface Found {
  readonly service: Service;
  /** Without the path of the document's server, if there is a route. */
  readonly path: string;
  readonly route: Route | undefined;
}

function unknownUrl({ method, url }: Request, path: string, services: readonly Service[]) {
  const refusal = (hint: string) =>
    refuse(404, `No operation matches ${method} ${path}.${hint}`, { code: "unknown_url" });
  const parts = path.split("/");
  for (const { name, prefix, route } of services) {
    const has = (below: string): boolean => route(below)?.operations.has(method) === true;
    const below = parts.slice(prefix.split("/").length);
    const joined = below.map((_, at) => ["", ...below.slice(0, at), below.slice(at).join("%2F")].join("/"));
    const encoded = path.startsWith(`${prefix}/`) ? joined.find(has) : undefined;
    if (encoded !== undefined)
      return refusal(` Did you mean ${method} ${prefix}${encoded}? Write each slash of a name as %2F.`);
    const end = parts.map((_, at) => ["", ...parts.slice(at + 1)].join("/")).find(has);
    if (end !== undefined)
      return refusal(
        ` Did you mean ${method} ${prefix}${end}? The base address of ${name} is ${new URL(url).origin}${prefix}.`,
      );
  }
  const there = services.flatMap(({ prefix, document }) =>
    document.operations.map((operation) => ({ method: operation.method, path: prefix + operation.path })),
  );
  const last = `/${path.split("/").at(-1)}`;
  // Up to a third may be wrong, or everything but the last segment missing.
  const most = (known: string) => (known.endsWith(last) ? Infinity : known.length / 3);
  const known = nearest(path, new Set(there.map((one) => one.path)), most);
  const near = there.filter((one) => one.path === known);
  const meant = near.find((one) => one.method === method) ?? near[0];
  const hint = meant === undefined ? "" : ` Did you mean ${meant.method} ${meant.path}?`;
  return refusal(hint);
}

function newRequestId(): string {
  return `req_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** The same response without its body. */
function headOf(response: Response): Response {
  void response.body?.cancel();
  return new Response(null, { status: response.status, headers: response.headers });
}

/** The path of a URL, not normalized. Parsing the whole URL would cost more than finding its route. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.slice(start).search(/[?#]/);
  return start < 0 ? "/" : url.slice(start, end < 0 ? undefined : start + end);
}
