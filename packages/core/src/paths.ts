import { cureFor, variable } from "./environment.ts";
import { ConfigurationError } from "./errors/failures.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";
import type { Service } from "./operation.ts";

/** The path parameters in a template. */
export const parameter: RegExp = /\{([^{}]+)\}/g;

/**
 * Converts a path parameter to text.
 * @throws {@link ConfigurationError} if it is empty, `.` or `..`, because the URL would be that of another path.
 */
export function pathText(name: string, value: unknown, facts: Partial<CallFacts>): string {
  const text = typeof value === "string" || typeof value === "number" ? `${value}` : "";
  if (/^\.{0,2}$/.test(text))
    throw new ConfigurationError(`the path parameter ${name} is "${text}". It cannot be empty, "." or "..".`, facts);
  return text;
}

/** Inserts the encoded path parameters into a path template. */
export function fillPath(
  template: string,
  params: { readonly [name: string]: unknown } = {},
  facts: Partial<CallFacts> = {},
): string {
  return template.replace(parameter, (_, name: string) =>
    encode(pathText(name, params[name], facts), `the path parameter ${name}`, facts),
  );
}

/**
 * Encodes a query. A list repeats its name; null values are left out. The serializer of openapi-fetch also supports
 * objects, which the contract does not have, and would add 600 bytes.
 * @throws {@link ConfigurationError} for an object.
 */
export function queryOf(values: { readonly [name: string]: unknown }, facts: Partial<CallFacts> = {}): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const what = `the query parameter ${name}`;
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === undefined || one === null) continue;
      if (typeof one === "object") throw new ConfigurationError(`${what} cannot be an object.`, facts);
      pairs.push(`${encode(name, what, facts)}=${encode(one, what, facts)}`);
    }
  }
  return pairs.join("&");
}

function encode(value: string, what: string, facts: Partial<CallFacts>): string {
  try {
    return encodeURIComponent(value);
  } catch {
    throw new ConfigurationError(`${what} cannot be encoded in a URL.`, facts);
  }
}

/**
 * The address of a service, without a trailing slash. A trailing `/v1` is removed if all paths of the service begin with
 * it, because people write it: clients of chat completions expect it.
 * @throws {@link ConfigurationError} if it is missing or not a plain http(s) URL. The message does not contain it.
 */
export function baseUrlOf(service: Service, option: string | undefined): string {
  const given = option || variable(service, "baseUrl") || service.server || "";
  try {
    // In a browser, a relative URL such as "/api" is valid.
    const { href, origin, pathname } = new URL(given, globalThis.location?.href);
    // Accept no user, query or fragment. Other schemes have no origin.
    if (href.startsWith("http") && href === origin + pathname)
      return href.replace(service.v1 ? /(\/v1)?\/*$/ : /\/+$/, "");
  } catch {}
  throw new ConfigurationError(
    `The ${service.name} client needs a plain http(s) URL: ${cureFor(service, "baseUrl")}` +
      (!given || given.startsWith("http") ? "" : " It begins without http://."),
  );
}
