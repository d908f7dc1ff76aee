import type { Answer } from "./answer.ts";
import { inBrowser, runtime } from "./environment.ts";
import { ConfigurationError } from "./errors/failures.ts";
import { isEventStream, requestIdOf } from "./errors/response.ts";
import { unread } from "./errors/unread.ts";
import { type CallFacts, TrainyardError } from "./errors/trainyard-error.ts";
import { type HeaderValues, setHeader } from "./headers.ts";
import { limitOf, now } from "./limit.ts";
import { logOf } from "./logger.ts";
import { chain, type OutgoingRequest } from "./middleware.ts";
import type { Operation, Service } from "./operation.ts";
import { checkNumbers, type ClientOptions, copyOptions, type KeyedCallOptions } from "./options.ts";
import { baseUrlOf } from "./paths.ts";
import { follow } from "#runtime";
import { discard } from "./discard.ts";
import { type Attempt, leavesOpen, mayResend, next, type Outcome } from "./retry.ts";
import { credentialsOf, keysOf, withoutKeys } from "./secret.ts";
import { type Check, checker } from "./validate.ts";
import { version } from "./version.ts";

/** A call, as methods and `openapi-fetch` clients both pass it. */
export interface Outgoing {
  readonly facts: CallFacts;
  readonly operation: Operation;
  readonly url: string;
  readonly method: string;
  /** The headers of the call. The exchange adds those that the contract requires. */
  readonly headers: Headers;
  readonly body: string | null;
  /** A body of bytes, which only `fetch` sees. */
  readonly raw: Blob | ReadableStream | null;
  /** Whether the body is a stream, which can be sent once. */
  readonly once?: boolean;
  readonly pathParams: { readonly [name: string]: unknown } | undefined;
  readonly redirect?: "error" | "follow" | "manual";
  /** Whether the body of a stream is returned unread. */
  readonly open: boolean;
  readonly options: KeyedCallOptions;
}

/** Sends calls, for methods and for `openapi-fetch` clients. */
export interface Exchange {
  readonly baseUrl: string;
  /** The headers of every request. */
  readonly common: HeaderValues;
  /** The client's validation, if it has validators. */
  readonly check: Check | undefined;
  /** Sends a call, retries it if its rules allow that, and returns the last response, whatever its status. */
  readonly send: (call: Outgoing) => Promise<Answer>;
}

/**
 * Creates the exchange of a client.
 * @throws {@link ConfigurationError} naming the option or variable that is missing or invalid.
 */
export function exchangeOf(service: Service, given: ClientOptions, operations: readonly Operation[]): Exchange {
  const client = copyOptions(given);
  const browser = inBrowser();
  const baseUrl = baseUrlOf(service, client.baseUrl);
  const { origin } = new URL(baseUrl);
  const credentials = credentialsOf(service, client, operations);
  const write = logOf(client.logger, client.logLevel);
  checkNumbers(client);

  const send = async (call: Outgoing): Promise<Answer> => {
    const { facts, operation, headers: own, options, redirect = "follow", pathParams = {} } = call;
    const { operation: name } = facts;
    const { idempotencyKey } = options;
    facts.cure = [operation.keyed && "idempotencyKey", JSON.stringify(operation.alwaysIf)].filter(Boolean).join(" or ");
    checkNumbers(options, facts);
    const add = (header: string, value: unknown): void => {
      if (typeof value === "string" && !own.has(header)) setHeader(own, header, value, facts);
    };
    add(
      "accept",
      operation.accept ?? (call.open ? (operation.stream?.accept ?? "text/event-stream") : "application/json"),
    );
    for (const [header, option] of Object.entries(operation.fill ?? {})) add(header, Reflect.get(client, option));
    if (idempotencyKey !== undefined) {
      if (!operation.keyed || !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
        throw new ConfigurationError(
          "idempotencyKey is not supported here, or not 1 to 255 visible ASCII characters.",
          facts,
        );
      own.set("idempotency-key", idempotencyKey);
    }
    if (operation.keyed && (options.idempotencyKeys ?? client.idempotencyKeys) === "auto")
      add("idempotency-key", crypto.randomUUID());

    const url = service.joinLists?.(call.url, operation) ?? call.url;
    const idleMs = options.timeoutMs ?? client.timeoutMs ?? (operation.timeout ?? service.timeout) * 1000;
    const middleware = [...client.middleware, ...(options.middleware ?? [])];
    const secrets = credentials(operation, facts);
    const resend = mayResend(operation, own, call.body);
    const deadline = now() + (options.totalTimeoutMs ?? Infinity);

    /** Sends the request once. Returns the answer, or the attempt that follows. */
    const attempt = async (current: Attempt): Promise<Answer | Attempt> => {
      const limit = limitOf(options.signal, idleMs, deadline, facts, origin);
      if (current.delayMs) await limit.sleep(current.delayMs);
      const start = now();
      const { signal } = limit;

      const log = (
        level: "error" | "warn" | "info" | "debug",
        what: string,
        response?: Response,
        following?: Attempt,
        headers = response?.headers,
      ): void =>
        write?.(level, `${name} ${what}`, headers, {
          operation: name,
          attempt: current.number,
          durationMs: Math.round(now() - start),
          delayMs: following?.delayMs,
          status: response?.status,
          requestId: response && requestIdOf(response),
        });

      const after = (outcome: Outcome): Attempt | undefined => next(current, outcome, resend, deadline - now());

      const once = async (): Promise<Answer | Attempt> => {
        const keys = await keysOf(secrets, facts);

        // The end of the chain. The key is added to a copy, so that middleware cannot read it afterwards.
        const transmit = async ({ url, method, headers: seen, body, signal }: OutgoingRequest): Promise<Response> => {
          // Look up the global `fetch` at each call, so that replacements take effect.
          let fetch = client.fetch ?? globalThis.fetch;
          const headers = new Headers(seen);
          // Never send the key to another origin. Compare with a slash, so that no other host matches as a prefix.
          if (url.startsWith(`${origin}/`))
            for (const { header, around, value } of keys) {
              if (header && !headers.has(header)) headers.set(header, value);
              if (around) fetch = around(fetch, value);
            }
          facts.attempts++;
          facts.response = undefined;
          facts.outcomeUnknown = !resend;
          log("debug", "is sent", undefined, undefined, headers);
          return follow(
            fetch,
            url,
            {
              ...client.fetchOptions,
              ...options.fetchOptions,
              method,
              headers,
              // Text for every `fetch`; bytes only in clients whose documents have them.
              body: body ?? (call.raw as unknown as string | null),
              signal,
              // The engine follows redirects itself if the runtime allows it.
              redirect: redirect === "follow" && !browser ? "manual" : redirect,
            },
            facts,
            keys,
          );
        };

        const { method, body } = call;
        const context = { name, operation, attempt: current.number, pathParams };
        const request = { url, method, headers: own, body, signal };
        const response = await chain(
          middleware,
          transmit,
          context,
        )(request).catch((cause: unknown) => {
          throw cause instanceof TrainyardError ? cause : new TrainyardError("a middleware failed", facts, { cause });
        });
        const { status, ok }: Response = Object(response);
        if (status === undefined) throw new ConfigurationError("a middleware did not return a response", facts);
        facts.response = response;
        // A `fetch` that ignores the signal may still answer while the next attempt is running.
        if (signal.aborted) discard(response);
        signal.throwIfAborted();
        // A redirect that is not followed leaves it open, too.
        if (status >= 400 && !leavesOpen(status)) facts.outcomeUnknown = false;
        const following = ok ? undefined : after({ response });
        if (following) {
          log("warn", `answered ${status}, retrying`, response, following);
          discard(response);
          limit.release();
          return following;
        }
        if (response.bodyUsed)
          throw new ConfigurationError("a middleware or `fetch` read the body, not a clone", facts);
        const { answers } = operation;
        const open = call.open && ok && !!(answers ?? isEventStream(response));
        const lost = unread(origin, facts);
        const bytes = ok && answers && !open ? await response.blob().catch(lost) : undefined;
        const text = open || bytes ? "" : await response.text().catch(lost);
        if (open) limit.pause();
        else limit.release();
        const answer = { response, text, bytes, facts, operation, keys, origin, open, limit };
        const seen = ok ? answer : withoutKeys(answer);
        log(ok ? "info" : "error", `answered ${status}`, response);
        return seen;
      };

      try {
        return await limit.within(once);
      } catch (error) {
        limit.release();
        const following = after({ error });
        log(following ? "warn" : "error", following ? "failed, retrying" : "failed", undefined, following);
        if (following) return following;
        throw error;
      }
    };

    let outcome = await attempt({
      number: 1,
      left: options.maxRetries ?? client.maxRetries ?? 2,
      renews: !call.once && secrets.some(({ secret }) => typeof secret === "function"),
    });
    while ("number" in outcome) outcome = await attempt(outcome);
    return outcome;
  };

  return {
    baseUrl,
    common: {
      ...(service.identity &&
        client.identity !== false &&
        !browser && { [service.identity]: `core/${version} ${service.name}/${service.contractVersion} ${runtime()}` }),
      ...client.headers,
    },
    check: checker(client.validators, client.validate),
    send,
  };
}
