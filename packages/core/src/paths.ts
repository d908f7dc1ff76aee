import { variable } from "./environment.ts";
import { variableName } from "./variable-name.ts";
import { ConfigurationError } from "./errors/failures.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";
import type { Service } from "./operation.ts";

/** The places of path parameters in a template. */
export const parameter: RegExp = /\{([^{}]+)\}/g;

/**
 * The text of a path parameter.
 * @throws {@link ConfigurationError} for one that is empty, `.` or `..`: it would name another path.
 */
export function pathText(name: string, value: unknown, facts: Partial<CallFacts>): string {
  const text = typeof value === "string" || typeof value === "number" ? `${value}` : "";
  if (/^\.{0,2}$/.test(text))
    throw new ConfigurationError(`the path parameter ${name} is "${text}". It must name something.`, facts);
  return text;
}

/** Puts path parameters into an address, encoded. */
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
 * A query, encoded: a list repeats its name, and what is null is left out. openapi-fetch's own also writes objects, of
 * which the contract has none, and takes 600 bytes for it.
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
    throw new ConfigurationError(`${what} cannot be written in an address.`, facts);
  }
}

/**
 * The address of a service, without a slash at its end. One `/v1` at its end is left out where all paths of the service begin
 * with it: clients of chat completions take the address with it, so people write it.
 * @throws {@link ConfigurationError} where it is missing, or no plain address of http. Its text is not repeated.
 */
export function baseUrlOf({ name: service, operations }: Service, option: string | undefined): string {
  const name = variableName(`${service}_url`);
  const versioned = Object.values(operations).every(({ path }) => path.startsWith("/v1/"));
  try {
    // In a browser, "/api" is an address too.
    const { href, origin, pathname } = new URL(option || variable(name) || "", globalThis.location?.href);
    // Without a user, a query and a fragment.
    if (/^https?:/.test(href) && href === origin + pathname)
      return href.replace(versioned ? /(\/v1)?\/*$/ : /\/+$/, "");
  } catch {}
  throw new ConfigurationError(`The ${service} client needs a plain address of http: pass baseUrl, or set ${name}.`);
}
