import { setTimeout as sleep } from "node:timers/promises";
import { answerPreflight, isPreflight, originHeaders } from "@trainyard/front";
import { Hono } from "hono";
import type { Exchange, Visit } from "./exchange.ts";
import { Gate } from "./gate.ts";
import { headerSize, type Limits } from "./limits.ts";
import type { PlannedFault, PlannedFaults } from "./planned-faults.ts";
import { refuse } from "./refusal.ts";
import { cutOff, watch } from "./streams.ts";

/** What is told of a request: no body, no key, no query. */
export interface RequestLog {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Until the answer began. */
  readonly milliseconds: number;
  /** `<team>/<project>`, where the request says so. */
  readonly project?: string;
}

export interface AppOptions {
  readonly exchanges: readonly Exchange[];
  readonly limits: Limits;
  readonly planned: PlannedFaults;
  /** Answers what no document knows, such as the site. */
  readonly other?: (request: Request) => Promise<Response | undefined>;
  log?(entry: RequestLog): void;
}

/** All services behind one `fetch`. */
export interface App {
  /** @param headerBytes what the headers take, where that is known without looking through them */
  fetch(request: Request, headerBytes?: number): Promise<Response>;
  /** Refuses what comes from now on (503), and resolves once nothing is under way. */
  drain(): Promise<void>;
}

/** What Hono passes on with a request. */
interface Env {
  Bindings: Visit;
}

/** Puts documents behind one handler, each under the path of its first server. */
export function createApp(options: AppOptions): App {
  const { exchanges, limits, planned } = options;
  const byPrefix = exchanges.toSorted((a, b) => b.contract.prefix.length - a.contract.prefix.length);
  const hono = new Hono<Env>();
  for (const exchange of byPrefix) mount(hono, exchange, planned);
  const exchangeOf = (path: string): Exchange => {
    const found = byPrefix.find(({ contract }) => path === contract.prefix || path.startsWith(`${contract.prefix}/`));
    if (found === undefined) throw new Error("No document stands at the root.");
    return found;
  };
  hono.notFound(async ({ req, env }) => {
    const answer = await options.other?.(req.raw);
    if (answer !== undefined) return withHeaders(answer, env.headers);
    const { pathname } = new URL(req.url);
    const refusal = refuse(404, `There is nothing at ${pathname}.`, { code: "unknown_url" });
    return exchangeOf(pathname).refuse(refusal, env);
  });
  const gate = new Gate(limits.requests);
  let draining = false;

  async function answer(request: Request, path: string, headerBytes: number, visit: Visit): Promise<Response> {
    const exchange = exchangeOf(path);
    if (draining) return exchange.refuse(refuse(503, "The server is shutting down."), visit);
    if (headerBytes > limits.headerBytes) {
      return exchange.refuse(refuse(431, `The headers are larger than ${limits.headerBytes} bytes.`), visit);
    }
    const leave = gate.enter();
    if (leave === undefined) {
      const message = `More than ${limits.requests} requests are under way. Wait for some of them.`;
      return exchange.refuse(refuse(429, message, { code: "rate_limit_exceeded" }), visit);
    }
    // What is there at once is sent at once; only a stream can last.
    let lasts = false;
    const keep: Visit["keep"] = (stream) => {
      lasts = true;
      return watch(stream, leave);
    };
    try {
      return await hono.fetch(request, { ...visit, keep });
    } catch (error) {
      leave();
      throw error;
    } finally {
      if (!lasts) leave();
    }
  }

  return {
    async fetch(request, headerBytes = headerSize([...request.headers].flat())) {
      const start = performance.now();
      const requestId = `req_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
      const path = pathOf(request.url);
      // Known before there is an answer: to add a header to one costs more than to make it.
      const headers = { "x-request-id": requestId, ...originHeaders(request.headers) };
      const response = await answer(request, path, headerBytes, { headers, keep: (stream) => stream });
      if (options.log === undefined) return response;
      const project = request.headers.get("compat-project") ?? request.headers.get("openai-project");
      options.log({
        requestId,
        method: request.method,
        path,
        status: response.status,
        milliseconds: Math.round((performance.now() - start) * 10) / 10,
        ...(project !== null && { project }),
      });
      return response;
    },
    drain() {
      draining = true;
      return gate.idle();
    },
  };
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** The path of an address, as it is written. Parsing the whole address would cost more than finding its route. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.slice(start).search(/[?#]/);
  return start < 0 ? "/" : url.slice(start, end < 0 ? undefined : start + end);
}

function mount(hono: Hono<Env>, exchange: Exchange, planned: PlannedFaults): void {
  const { name, prefix, operations } = exchange.contract;
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const here = operations.filter((operation) => operation.path === path);
    const allow = here.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    // One handler a path: with several, Hono takes a slower way.
    hono.all(prefix + path.replaceAll(/\{(\w+)\}/g, ":$1"), ({ req, env }) => {
      const { raw } = req;
      const operation = here.find(({ method }) => method === (raw.method === "HEAD" ? "GET" : raw.method));
      if (operation === undefined) {
        if (isPreflight(raw.method, raw.headers)) {
          return withHeaders(answerPreflight(raw.headers, allow), env.headers);
        }
        const message = `${raw.method} cannot be used here. There is: ${allow.join(", ")}.`;
        return exchange.refuse(refuse(405, message, { allow }), env);
      }
      // What is planned must not spoil the plan's own control.
      const fault = name === "local" ? undefined : planned.take(name, operation.name);
      const params: Record<string, string> = req.param();
      const perform = () => exchange.perform(operation, raw, params, env);
      if (fault === undefined) return perform();
      const { status } = fault;
      const message = `This answer of ${operation.name} was planned at /_local/faults.`;
      return spoil(fault, raw.signal, () =>
        status === undefined ? perform() : exchange.refuse(refuse(status, message), env),
      );
    });
  }
}

async function spoil(
  { headers, delayMs, cut }: PlannedFault,
  signal: AbortSignal,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  if (delayMs !== undefined) await sleep(delayMs, undefined, { signal }).catch(() => undefined);
  const response = withHeaders(await answer(), headers ?? {});
  return cut === true ? cutOff(response) : response;
}
