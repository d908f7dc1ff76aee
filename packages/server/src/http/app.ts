import { setTimeout as sleep } from "node:timers/promises";
import { allowOrigin, answerPreflight, isPreflight, type DocumentOperation } from "@trainyard/front";
import { Hono } from "hono";
import type { Exchange } from "./exchange.ts";
import { Gate } from "./gate.ts";
import { headerSize, type Limits } from "./limits.ts";
import type { PlannedFault, PlannedFaults } from "./planned-faults.ts";
import { refuse } from "./refusal.ts";
import { cutOff, whenRead } from "./streams.ts";

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
  fetch(request: Request): Promise<Response>;
  /** Refuses what comes from now on (503), and resolves once nothing is under way. */
  drain(): Promise<void>;
}

/** Puts documents behind one handler, each under the path of its first server. */
export function createApp(options: AppOptions): App {
  const { exchanges, limits, planned } = options;
  const byPrefix = exchanges.toSorted((a, b) => b.contract.prefix.length - a.contract.prefix.length);
  const hono = new Hono();
  for (const exchange of byPrefix) mount(hono, exchange, planned);
  const exchangeOf = (path: string): Exchange => {
    const found = byPrefix.find(({ contract }) => path === contract.prefix || path.startsWith(`${contract.prefix}/`));
    if (found === undefined) throw new Error("No document stands at the root.");
    return found;
  };
  hono.notFound(async ({ req }) => {
    const answer = await options.other?.(req.raw);
    const { pathname } = new URL(req.url);
    return (
      answer ?? exchangeOf(pathname).refuse(refuse(404, `There is nothing at ${pathname}.`, { code: "unknown_url" }))
    );
  });
  const gate = new Gate(limits.requests);
  let draining = false;

  async function answer(request: Request, path: string): Promise<Response> {
    const exchange = exchangeOf(path);
    if (draining) return exchange.refuse(refuse(503, "The server is shutting down."));
    const size = headerSize(request.headers);
    if (size > limits.headerBytes) {
      return exchange.refuse(refuse(431, `The headers are larger than ${limits.headerBytes} bytes.`));
    }
    const leave = gate.enter();
    if (leave === undefined) {
      const message = `More than ${limits.requests} requests are under way. Wait for some of them.`;
      return exchange.refuse(refuse(429, message, { code: "rate_limit_exceeded" }));
    }
    try {
      return whenRead(await hono.fetch(request), leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  return {
    async fetch(request) {
      const start = performance.now();
      const requestId = `req_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
      const path = pathOf(request.url);
      const response = await answer(request, path);
      response.headers.set("x-request-id", requestId);
      allowOrigin(request.headers, response.headers);
      const project = request.headers.get("compat-project") ?? request.headers.get("openai-project");
      options.log?.({
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

/** The path of an address, as it is written. Parsing the whole address would cost more than finding its route. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.slice(start).search(/[?#]/);
  return start < 0 ? "/" : url.slice(start, end < 0 ? undefined : start + end);
}

function mount(hono: Hono, exchange: Exchange, planned: PlannedFaults): void {
  const { name, prefix, operations } = exchange.contract;
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const here = operations.filter((operation) => operation.path === path);
    const allow = here.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    // One handler a path: with several, Hono takes a slower way.
    hono.all(prefix + path.replaceAll(/\{(\w+)\}/g, ":$1"), ({ req }) => {
      const { raw } = req;
      const operation = here.find(({ method }) => method === (raw.method === "HEAD" ? "GET" : raw.method));
      if (operation === undefined) {
        if (isPreflight(raw.method, raw.headers)) return answerPreflight(raw.headers, allow);
        return exchange.refuse(
          refuse(405, `${raw.method} cannot be used here. There is: ${allow.join(", ")}.`, { allow }),
        );
      }
      // What is planned must not spoil the plan's own control.
      const fault = name === "local" ? undefined : planned.take(name, operation.name);
      const params: Record<string, string> = req.param();
      const perform = () => exchange.perform(operation, raw, params);
      return fault === undefined ? perform() : spoil(fault, exchange, operation, raw.signal, perform);
    });
  }
}

async function spoil(
  { status, headers, delayMs, cut }: PlannedFault,
  exchange: Exchange,
  operation: DocumentOperation,
  signal: AbortSignal,
  perform: () => Promise<Response>,
): Promise<Response> {
  if (delayMs !== undefined) await sleep(delayMs, undefined, { signal }).catch(() => undefined);
  const message = `This answer of ${operation.name} was planned at /_local/faults.`;
  const response = status === undefined ? await perform() : exchange.refuse(refuse(status, message));
  for (const [name, value] of Object.entries(headers ?? {})) response.headers.set(name, value);
  return cut === true ? cutOff(response) : response;
}
