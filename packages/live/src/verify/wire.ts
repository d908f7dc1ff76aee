import { setTimeout as sleep } from "node:timers/promises";
import type { Operation } from "@trainyard/document";
import { exampleHeader } from "@trainyard/host";
import type { Sent } from "../request.ts";
import type { LiveService } from "../service.ts";

/** A response with its whole body. */
export interface Answer {
  /** 0 if there was no response. */
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: { readonly value: unknown } | undefined;
  /** Whether the bytes are UTF-8. */
  readonly isUtf8: boolean;
  /** Whether the service marks the response as an example of its document, as a mock does: it performed nothing. */
  readonly isExample: boolean;
  /** Why there is no response, or no complete one. */
  readonly broken: string | undefined;
}

/** A request and its response. */
export interface Exchange {
  readonly service: LiveService;
  readonly operation: Operation | undefined;
  readonly sent: Sent;
  /** The body of the request if it is JSON. */
  readonly body: unknown;
  /** The values of the path parameters. */
  readonly path: Readonly<Record<string, string>>;
  readonly answer: Answer;
  /** What was tried, in a few words: `without a key`. */
  readonly tried: string;
  /** The expected statuses, if any. */
  readonly expected?: readonly number[] | undefined;
}

/** Thrown if the budget has no calls left. */
export class BudgetSpent extends Error {
  override readonly name = "BudgetSpent";
}

/** How requests are sent. */
export interface WireOptions {
  readonly budget: number;
  /** The number of calls to reserve for deletions. */
  readonly reserve?: () => number;
  readonly signal?: AbortSignal | undefined;
  /** Called before each request is sent. */
  readonly onRequest?: ((sent: Sent, tried: string) => void) | undefined;
  /** Called with each exchange, also those that are retried. */
  readonly seen: (exchange: Exchange) => void;
}

/** The longest wait before one retry, and before all of them together, in seconds. */
const longestWait = 20;
const longestWaits = 40;
/** How long to wait for a complete response, in seconds. */
const longestAnswer = 30;

/** Sends requests, counts them, and obeys `Retry-After`. */
export class Wire {
  sent = 0;
  waited = 0;
  readonly #options: WireOptions;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  /** The number of calls left. */
  get left(): number {
    return this.#options.budget - this.sent;
  }

  /**
   * Sends a request. Retries it up to twice if the response says when.
   *
   * @param isLast whether it may use the calls that are reserved for deletions
   * @throws {@link BudgetSpent}, or the signal's reason
   */
  async send(exchange: Omit<Exchange, "answer">, isLast = false): Promise<Exchange> {
    for (let attempt = 0; ; attempt++) {
      if (!isLast) this.#options.signal?.throwIfAborted();
      // What this request creates must be deleted, too.
      const creates = exchange.operation?.safe === true ? 0 : 1;
      if (this.left <= (isLast ? 0 : (this.#options.reserve?.() ?? 0) + creates))
        throw new BudgetSpent("The budget has no calls left.");
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

/** The wait before a retry in seconds; undefined if the request is not retried. */
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
  if (late) return `the response was not complete within ${longestAnswer} s`;
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
