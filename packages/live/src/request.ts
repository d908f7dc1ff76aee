import { joinLists } from "@trainyard/core";
import {
  acceptOf,
  joinedLists,
  jsonOf,
  responseOf,
  type Carrier,
  type Operation,
  type SecurityScheme,
} from "@trainyard/document";
import type { LiveService } from "./service.ts";

/** A request as it is sent. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** The values of a request. */
export interface Values {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Any JSON value; undefined sends no body. */
  readonly body?: unknown;
  /** The raw body, instead of `body`. */
  readonly text?: string | undefined;
  /** The credentials by the names of their schemes; those of the service by default. */
  readonly credentials?: Readonly<Record<string, string>> | undefined;
  /** Whether to request a stream. */
  readonly stream?: boolean | undefined;
}

/**
 * Makes the request of an operation, without validating it.
 */
export function requestOf(service: LiveService, operation: Operation, values: Values): Sent {
  const { query = {}, headers = {}, body, text, credentials = service.credentials, stream = false } = values;
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = values.path?.[name] ?? "";
    if (["", ".", ".."].includes(value)) throw new Error(`${operation.name} needs ${name} in its path.`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) search.append(name, one);
  const carried = carry(chooseSchemes(operation, credentials), credentials);
  for (const [name, value] of Object.entries(carried.query)) search.append(name, value);
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const mediaType = jsonOf(operation.body?.content ?? new Map())?.mediaType ?? "application/json";
  return {
    method: operation.method,
    url: joinLists(`${service.baseUrl}${path}${search.size > 0 ? `?${search}` : ""}`, joinedLists(operation)),
    headers: {
      accept: stream ? "text/event-stream" : (textAccepted(operation) ?? "application/json"),
      ...carried.headers,
      ...(content !== undefined && { "content-type": mediaType }),
      ...headers,
    },
    ...(content !== undefined && { body: content }),
  };
}

/** The `Accept` header of a call whose response is text. */
export function textAccepted(operation: Operation): string | undefined {
  return acceptOf(responseOf(operation, 200)?.content ?? new Map());
}

/** The first set of schemes with a credential for each; none if none is required or available. */
export function chooseSchemes(
  { security }: Operation,
  credentials: Readonly<Record<string, string>>,
): readonly SecurityScheme[] {
  return security.find((schemes) => schemes.every(({ name }) => credentials[name] !== undefined)) ?? [];
}

/** Adds credentials to a request. */
function carry(
  schemes: readonly SecurityScheme[],
  credentials: Readonly<Record<string, string>>,
): { headers: Record<string, string>; query: Record<string, string> } {
  const headers: Record<string, string> = {};
  const query: Record<string, string> = {};
  for (const { name, carrier } of schemes) {
    const [where, key, value] = written(carrier, credentials[name] ?? "");
    (where === "query" ? query : headers)[key] = value;
  }
  return { headers, query };
}

/** Where a credential is written: `["header", "authorization", "Bearer …"]`. */
export function written(carrier: Carrier | undefined, secret: string): [where: "header" | "query", string, string] {
  if (carrier?.kind === "header" || carrier?.kind === "query") return [carrier.kind, carrier.name, secret];
  if (carrier?.kind !== "basic") return ["header", "authorization", `Bearer ${secret}`];
  // Same as the clients: a credential without a colon is the password of the user `api`.
  return ["header", "authorization", `Basic ${btoa(secret.includes(":") ? secret : `api:${secret}`)}`];
}
