import type { Built } from "./build.ts";
import { ConfigurationError, ConnectionError, TimeoutError } from "./errors/failures.ts";
import { requestIdOf } from "./errors/request-id.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";
import { type Limit, limitOf, now } from "./limit.ts";
import { type Log, type LogLevel, shown } from "./logger.ts";
import { chain, type OutgoingRequest } from "./middleware.ts";
import type { Operation } from "./operation.ts";
import type { ClientOptions, Fetch } from "./options.ts";
import { discard, follow } from "./redirect.ts";
import { backoff, delayAfter, leavesOpen, mayResend, neverMade } from "./retry.ts";
import { askSecret, type Credential, type Key, redact } from "./secret.ts";

/** What calls of one client share. */
export interface Sender {
  readonly client: ClientOptions;
  /** The start of the only addresses that the key goes to. */
  readonly origin: string;
  /** Seconds for one attempt of an operation that states none. */
  readonly timeout: number;
  readonly log: Log;
}

/** One call, ready to be sent. */
export interface Call {
  readonly name: string;
  readonly operation: Operation;
  readonly request: Built;
  readonly credentials: readonly Credential[];
  /** Whether a successful body is handed over unread, with the limit that still holds it. */
  readonly open: boolean;
}

/** What came of a call: an answer of any status. */
export interface Answer {
  readonly response: Response;
  /** The body; empty where it is handed over unread. */
  readonly text: string;
  readonly facts: CallFacts;
  /** Holds a body that is handed over unread to its limits, of which this is the longest silence. */
  readonly limit: Limit;
  readonly idleMs: number;
  /** Checks each event of a body that is handed over unread, where the client has validators. */
  readonly check?: ((item: unknown) => Promise<void>) | undefined;
}

/** Sends a call, again where its rules allow it, and gives the last answer. */
export async function exchange({ client, origin, timeout, log: write }: Sender, call: Call): Promise<Answer> {
  const { name, operation, request: built, credentials, open } = call;
  const idleMs = built.timeoutMs ?? client.timeoutMs ?? (operation.timeout ?? timeout) * 1000;
  const middleware = [...(client.middleware ?? []), ...(built.middleware ?? [])];
  // The global one is looked up at each call, so that what replaces it later is used.
  const fetch: Fetch = built.fetch ?? client.fetch ?? globalThis.fetch;
  const facts: CallFacts = { operation: name, attempts: 0, outcomeUnknown: false };
  const resend = mayResend(operation, built.headers);
  const deadline = now() + (built.totalTimeoutMs ?? Infinity);
  let left = built.maxRetries ?? client.maxRetries ?? 2;
  let askAgain = credentials.some(({ secret }) => typeof secret === "function");
  let delayMs: number | undefined;

  for (let attempt = 1; ; attempt++) {
    const limit = limitOf(built.signal, deadline, facts);
    if (delayMs) await limit.sleep(delayMs);
    delayMs = undefined;
    const start = now();
    let keys: Key[] = [];

    const log = (
      level: Exclude<LogLevel, "off">,
      what: string,
      response?: Response,
      headers = response?.headers,
    ): void =>
      write?.(level, `${name} ${what}`, {
        operation: name,
        attempt,
        durationMs: Math.round(now() - start),
        ...(delayMs !== undefined && { delayMs }),
        ...(headers && { headers: shown(headers) }),
        ...(response && { status: response.status, requestId: requestIdOf(response) }),
      });

    const failed = (cause: unknown): ConnectionError =>
      new ConnectionError(`${name}: the connection failed.`, facts, { cause });

    // The end of the chain. Middleware that looks at its request afterwards must not find the key in it.
    const send = async (request: OutgoingRequest): Promise<Response> => {
      let { headers } = request;
      let via = fetch;
      if (keys.length && request.url.startsWith(origin)) {
        headers = new Headers(headers);
        for (const { header, around, value } of keys) {
          if (header && !headers.has(header)) headers.set(header, value);
          if (around) via = around(via, value);
        }
      }
      facts.attempts++;
      facts.outcomeUnknown = !resend;
      log("debug", "is sent", undefined, headers);
      try {
        const { method, body, signal } = request;
        const { redirect } = built;
        const init = { ...client.fetchOptions, ...built.fetchOptions, method, headers, body, signal, redirect };
        return await follow(via, request.url, init);
      } catch (cause) {
        if (neverMade(cause)) facts.outcomeUnknown = false;
        throw failed(cause);
      }
    };

    const once = async (): Promise<Answer | void> => {
      keys = await Promise.all(
        credentials.map(async ({ secret, ...carrier }) => {
          const key = await askSecret(secret, facts);
          return { ...carrier, key, value: carrier.write(key) };
        }),
      );
      const { url, method, headers, body } = built;
      const context = { name, operation, attempt, pathParams: built.params?.path ?? {} };
      const response = await chain(middleware, send, context)({ url, method, headers, body, signal: limit.signal });
      if (typeof Object(response).status !== "number")
        throw new ConfigurationError("a middleware did not return a response.", facts);
      // A `fetch` that does not heed the signal answers after all, while the next attempt may be under way.
      if (limit.signal.aborted) return discard(response);
      const { status, ok } = response;
      if (!ok && !leavesOpen(status)) facts.outcomeUnknown = false;
      let delay: number | undefined;
      if (status === 401 && askAgain) {
        askAgain = false;
        left++;
        delay = 0;
      } else if (!ok && left > 0) delay = delayAfter(response, resend, attempt);
      if (delay !== undefined && now() + delay < deadline) {
        delayMs = delay;
        log("warn", `answered ${status} and is sent again`, response);
        return discard(response);
      }
      let text = "";
      if (!open || !ok) {
        try {
          text = await response.text();
        } catch (cause) {
          throw failed(cause);
        }
        limit.release();
      }
      limit.pause();
      log(ok ? "info" : "error", `answered ${status}`, response);
      return { response, text: ok ? text : redact(text, keys), facts, limit, idleMs };
    };

    try {
      const answer = await limit.within(idleMs, once);
      if (answer) return answer;
    } catch (error) {
      limit.release();
      const again =
        left > 0 && !facts.outcomeUnknown && (error instanceof ConnectionError || error instanceof TimeoutError);
      const delay = backoff(attempt);
      if (!again || now() + delay >= deadline) {
        log("error", "failed");
        throw error;
      }
      delayMs = delay;
      log("warn", "failed and is sent again");
    }
    limit.release();
    left--;
  }
}
