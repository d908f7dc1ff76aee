import { codeOf } from "./errors/code-of.ts";
import { inBrowser, runtime } from "./environment.ts";
import { ConfigurationError, ConnectionError, TimeoutError } from "./errors/failures.ts";
import { requestIdOf } from "./errors/request-id.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";
import { setHeader } from "./headers.ts";
import { type Limit, limitOf, now } from "./limit.ts";
import { logOf } from "./logger.ts";
import { chain, type OutgoingRequest } from "./middleware.ts";
import type { Operation, Service } from "./operation.ts";
import { checkNumbers, type ClientOptions, copyOptions, type HeaderValues, type KeyedCallOptions } from "./options.ts";
import { baseUrlOf } from "./paths.ts";
import { discard, follow } from "./redirect.ts";
import { backoff, delayAfter, leavesOpen, mayResend, neverMade } from "./retry.ts";
import { credentialsOf, keysOf, type Key, redact } from "./secret.ts";
import { type Check, checker } from "./validate.ts";
import { version } from "./version.ts";

/** A call as both doors hand it over. */
export interface Outgoing {
  readonly facts: CallFacts;
  readonly operation: Operation;
  readonly url: string;
  readonly method: string;
  /** What the call itself sends; the exchange adds what the contract asks for. */
  readonly headers: Headers;
  readonly body: string | null;
  readonly pathParams: { readonly [name: string]: unknown } | undefined;
  readonly redirect?: "error" | "follow" | "manual";
  /** Whether a stream of events is handed over unread. */
  readonly open: boolean;
  readonly options: KeyedCallOptions;
}

/** What came of a call: an answer of any status. */
export interface Answer {
  readonly response: Response;
  /** The body; empty where it is handed over unread. */
  readonly text: string;
  readonly facts: CallFacts;
  /** Whether this is a stream of events, handed over unread. */
  readonly open: boolean;
  /** Holds a body that is handed over unread to its limits. */
  readonly limit: Limit;
}

/** What both doors of a client send with. */
export interface Exchange {
  readonly baseUrl: string;
  /** The headers of every request. */
  readonly common: HeaderValues;
  /** Where the client has validators. */
  readonly check: Check | undefined;
  /** Sends a call, again where its rules allow it, and gives the last answer, of any status. */
  readonly send: (call: Outgoing) => Promise<Answer>;
}

/**
 * Makes what sends the calls of a client.
 * @throws {@link ConfigurationError} naming the option or variable that is missing or wrong.
 */
export function exchangeOf(service: Service, given: ClientOptions): Exchange {
  const client = copyOptions(given);
  const browser = inBrowser();
  const baseUrl = baseUrlOf(service, client.baseUrl);
  // With its slash, so that no other host begins with it.
  const origin = `${new URL(baseUrl).origin}/`;
  const credentials = credentialsOf(service, client);
  const write = logOf(client);
  checkNumbers(client);

  const send = async (call: Outgoing): Promise<Answer> => {
    const { facts, operation, headers: own, options, redirect = "follow", pathParams = {} } = call;
    const { operation: name } = facts;
    const { idempotencyKey } = options;
    checkNumbers(options, facts);
    const add = (header: string, value: unknown): void => {
      if (typeof value === "string" && !own.has(header)) setHeader(own, header, value, facts);
    };
    add("accept", call.open ? "text/event-stream" : (operation.accept ?? "application/json"));
    for (const [header, option] of Object.entries(operation.fill ?? {})) add(header, Reflect.get(client, option));
    if (idempotencyKey !== undefined) {
      if (!operation.keyed || !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
        throw new ConfigurationError(
          "an idempotencyKey has 1 to 255 visible ASCII characters and an operation that takes it.",
          facts,
        );
      own.set("idempotency-key", idempotencyKey);
    }

    const idleMs = options.timeoutMs ?? client.timeoutMs ?? (operation.timeout ?? service.timeout) * 1000;
    const middleware = [...client.middleware, ...(options.middleware ?? [])];
    const secrets = credentials.get(operation) ?? [];
    const resend = mayResend(operation, own);
    const deadline = now() + (options.totalTimeoutMs ?? Infinity);
    let left = options.maxRetries ?? client.maxRetries ?? 2;
    let askAgain = secrets.some(({ secret }) => typeof secret === "function");
    let delayMs: number | undefined;

    for (let attempt = 1; ; attempt++) {
      const limit = limitOf(options.signal, idleMs, deadline, facts);
      if (delayMs) await limit.sleep(delayMs);
      delayMs = undefined;
      const start = now();
      let keys: Key[] = [];

      const log = (
        level: "error" | "warn" | "info" | "debug",
        what: string,
        response?: Response,
        sent?: Headers,
      ): void =>
        write?.(level, `${name} ${what}`, sent ?? response?.headers, {
          operation: name,
          attempt,
          durationMs: Math.round(now() - start),
          delayMs,
          status: response?.status,
          requestId: response && requestIdOf(response),
        });

      const failed = (what: string, url: string, cause: unknown): ConnectionError => {
        const code = codeOf(cause);
        // The origin alone: a path may have names in it that are nobody else's business.
        const place = new URL(url).origin + (code ? ` (${code})` : "");
        return new ConnectionError(`${what} ${place}`, facts, { cause });
      };

      // The end of the chain. Middleware that looks at its request afterwards must not find the key in it.
      const transmit = async ({ url, method, headers: seen, body, signal }: OutgoingRequest): Promise<Response> => {
        // The global one is looked up at each call, so that what replaces it later is used.
        let fetch = client.fetch ?? globalThis.fetch;
        const headers = new Headers(seen);
        // The key goes to no other origin.
        if (url.startsWith(origin))
          for (const { header, around, value } of keys) {
            if (header && !headers.has(header)) headers.set(header, value);
            if (around) fetch = around(fetch, value);
          }
        facts.attempts++;
        facts.outcomeUnknown = !resend;
        log("debug", "is sent", undefined, headers);
        try {
          return await follow(fetch, url, {
            ...client.fetchOptions,
            ...options.fetchOptions,
            method,
            headers,
            body,
            signal,
            // Where the runtime lets it, the engine follows redirects itself.
            redirect: redirect === "follow" && !browser ? "manual" : redirect,
          });
        } catch (cause) {
          const never = neverMade(cause);
          if (never) facts.outcomeUnknown = false;
          throw failed(never ? "no connection to" : "no response from", url, cause);
        }
      };

      const once = async (): Promise<Answer | void> => {
        keys = await keysOf(secrets, facts);
        const { url, method, body } = call;
        const { signal } = limit;
        const response = await chain(middleware, transmit, { name, operation, attempt, pathParams })({
          url,
          method,
          headers: own,
          body,
          signal,
        });
        const { status, ok }: Response = Object(response);
        if (status === undefined) throw new ConfigurationError("a middleware did not return a response.", facts);
        // A `fetch` that does not heed the signal answers after all, while the next attempt may be under way.
        if (signal.aborted) return discard(response);
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
        const open = call.open && ok && !!response.headers.get("content-type")?.includes("event-stream");
        const lost = (cause: unknown): never => {
          throw failed("lost the connection to", url, cause);
        };
        const text = open ? "" : await response.text().catch(lost);
        if (open) limit.pause();
        else limit.release();
        log(ok ? "info" : "error", `answered ${status}`, response);
        return { response, text: ok ? text : redact(text, keys), facts, open, limit };
      };

      try {
        const answer = await limit.within(once);
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
  };

  return {
    baseUrl,
    common: {
      ...(client.identity !== false &&
        !browser && { "trainyard-client": `core/${version} ${service.name}/${service.contractVersion} ${runtime()}` }),
      ...client.headers,
    },
    check: checker(client),
    send,
  };
}
