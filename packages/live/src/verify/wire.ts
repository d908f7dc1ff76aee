import { setTimeout as sleep } from "node:timers/promises";
import type { Operation } from "@trainyard/document";
import { exampleHeader } from "@trainyard/host";
import type { Sent } from "../request.ts";
import type { LiveService } from "../service.ts";

/** An answer, read whole. */
export interface Answer {
  /** 0 where there was none. */
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON of the body; undefined where it is none. */
  readonly json: { readonly value: unknown } | undefined;
  /** Whether the bytes are UTF-8. */
  readonly isUtf8: boolean;
  /** Whether the service says that it shows an example of its document and performed nothing: a mock does. */
  readonly isExample: boolean;
  /** Why there is no answer, or no whole one. */
  readonly broken: string | undefined;
}

/** A request and its answer. */
export interface Exchange {
  readonly service: LiveService;
  readonly operation: Operation | undefined;
  readonly sent: Sent;
  /** The body that was sent, where it is JSON. */
  readonly body: unknown;
  /** The values of the path's parameters. */
  readonly path: Readonly<Record<string, string>>;
  readonly answer: Answer;
  /** What was tried, in a few words: `without a key`. */
  readonly tried: string;
  /** The statuses that are expected, where any are. */
  readonly expected?: readonly number[] | undefined;
}

/** No call is left. */
export class BudgetSpent extends Error {
  override readonly name = "BudgetSpent";
}

/** How requests go out. */
export interface WireOptions {
  readonly budget: number;
  /** Calls that are kept for what has to be deleted. */
  readonly reserve?: () => number;
  readonly signal?: AbortSignal | undefined;
  /** Is told of each request before it is sent. */
  readonly onRequest?: ((sent: Sent, tried: string) => void) | undefined;
  /** Is given each exchange, also those that are sent again. */
  readonly seen: (exchange: Exchange) => void;
}

/** The most seconds that are waited for one answer to be asked for again, and for all of them. */
const longestWait = 20;
const longestWaits = 40;
/** Seconds after which an answer that has not come whole will not come. */
const longestAnswer = 30;

/** Sends requests, each counted, and obeys `Retry-After`. */
export class Wire {
  sent = 0;
  waited = 0;
  readonly #options: WireOptions;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  /** The calls that are left. */
  get left(): number {
    return this.#options.budget - this.sent;
  }

  /**
   * Sends a request, again where the answer says when: twice at most.
   *
   * @param isLast whether it may take what is kept for deletions
   * @throws {@link BudgetSpent}; the signal's reason
   */
  async send(exchange: Omit<Exchange, "answer">, isLast = false): Promise<Exchange> {
    for (let attempt = 0; ; attempt++) {
      if (!isLast) this.#options.signal?.throwIfAborted();
      if (this.left <= (isLast ? 0 : (this.#options.reserve?.() ?? 0))) throw new BudgetSpent("No call is left.");
      this.sent++;
      this.#options.onRequest?.(exchange.sent, exchange.tried);
      const answer = await ask(exchange.service.fetch ?? fetch, exchange.sent);
      const whole = { ...exchange, answer };
      this.#options.seen(whole);
      const seconds = attempt < 2 ? retryAfter(answer) : undefined;
      if (seconds === undefined || seconds > longestWait || this.waited + seconds > longestWaits) return whole;
      this.waited += seconds;
      await sleep(seconds * 1000, undefined, { signal: this.#options.signal }).catch(() => undefined);
    }
  }
}

/** Seconds to wait before the same is asked for again; undefined where it is not to be. */
function retryAfter({ status, headers }: Answer): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const value = headers.get("retry-after") ?? "";
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0.2 : Math.max(0, (date - Date.now()) / 1000);
}

async function ask(send: typeof fetch, { method, url, headers, body }: Sent): Promise<Answer> {
  const limit = AbortSignal.timeout(longestAnswer * 1000);
  let status = 0;
  let received = new Headers();
  const pieces: Uint8Array[] = [];
  let broken: string | undefined;
  try {
    const response = await send(url, {
      method,
      headers,
      redirect: "manual",
      signal: limit,
      ...(body !== undefined && { body }),
    });
    status = response.status;
    received = response.headers;
    if (response.body) for await (const piece of response.body) pieces.push(piece);
  } catch (error) {
    broken = reasonOf(error, limit.aborted);
  }
  const bytes = Buffer.concat(pieces);
  const text = bytes.toString("utf8");
  return {
    status,
    headers: received,
    text,
    json: parse(text),
    isUtf8: bytes.equals(Buffer.from(text)),
    isExample: received.has(exampleHeader),
    broken,
  };
}

function reasonOf(error: unknown, late: boolean): string {
  if (late) return `the answer did not come whole within ${longestAnswer} s`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return `the connection broke${code}`;
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
