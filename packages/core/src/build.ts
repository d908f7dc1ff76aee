import { inBrowser, runtime } from "./environment.ts";
import { ConfigurationError } from "./errors/failures.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";
import { mergeHeaders } from "./headers.ts";
import type { CallInit } from "./inside.ts";
import type { ReadAs } from "./http-client.ts";
import type { Method, Service } from "./operation.ts";
import type { ClientOptions, Fetch, KeyedCallOptions } from "./options.ts";
import { fillPath, queryOf } from "./paths.ts";
import { version } from "./version.ts";

const json = { "content-type": "application/json" };

type Values = { readonly [name: string]: unknown };

/** What a call by path takes: what its request is made of, and the options of the call. */
export interface HttpOptions extends KeyedCallOptions, CallInit {
  readonly params?: { readonly path?: Values; readonly query?: Values; readonly header?: KeyedCallOptions["headers"] };
  readonly body?: unknown;
  readonly redirect?: "error" | "follow" | "manual";
  readonly fetch?: Fetch;
  readonly parseAs?: ReadAs;
}

/** A request, ready to be sent any number of times, with the options of its call. */
export interface Built extends Omit<HttpOptions, "headers"> {
  readonly url: string;
  readonly method: Method;
  readonly headers: Headers;
  readonly body: string | null;
  readonly redirect: "error" | "follow" | "manual";
}

/** Builds the request of a call. */
export type Build = (method: Method, path: string, options: HttpOptions, facts: Partial<CallFacts>) => Built;

/** Makes what builds requests. */
export function builder(service: Service, baseUrl: string, client: ClientOptions): Build {
  const browser = inBrowser();
  const identity = `core/${version} ${service.name}/${service.contractVersion} ${runtime()}`;
  const own = client.identity !== false && !browser ? { "trainyard-client": identity } : {};

  return (method, path, options, facts) => {
    const { params, body, extraBody, redirect = "follow" } = options;
    const content = extraBody ? Object.assign({}, body, extraBody) : body;
    const query = queryOf({ ...params?.query, ...options.extraQuery }, facts);
    const type = content === undefined ? {} : json;
    return {
      ...options,
      method,
      url: baseUrl + fillPath(path, params?.path ?? {}, facts) + (query && `?${query}`),
      headers: mergeHeaders(facts, type, own, client.headers, options.headers, params?.header),
      body: content === undefined ? null : textOf(content, facts),
      // Where the runtime lets it, the engine follows redirects itself.
      redirect: redirect === "follow" && !browser ? "manual" : redirect,
    };
  };
}

function textOf(content: unknown, facts: Partial<CallFacts>): string {
  try {
    return JSON.stringify(content);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "it cannot be written";
    throw new ConfigurationError(`the body cannot be written as JSON: ${why}`, facts, { cause });
  }
}
