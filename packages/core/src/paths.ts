import { variable } from "./environment.ts";
import { ConfigurationError } from "./errors/failures.ts";

/**
 * Puts path parameters into an address, encoded.
 * @throws {@link ConfigurationError} for one that is empty, `.` or `..`: it would name another path.
 */
export function fillPath(template: string, params: { readonly [name: string]: unknown }): string {
  return template.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = params[name] ?? "";
    const text = typeof value === "string" || typeof value === "number" ? `${value}` : "";
    if (/^\.{0,2}$/.test(text))
      throw new ConfigurationError(`The path parameter ${name} is "${text}". It must name something.`);
    return encodeURIComponent(text);
  });
}

/**
 * A query, encoded: a list repeats its name, and what is null is left out. openapi-fetch's own also writes objects, of
 * which the contract has none, and takes 600 bytes for it.
 * @throws {@link ConfigurationError} for an object.
 */
export function queryOf(values: { readonly [name: string]: unknown }): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(values))
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === undefined || one === null) continue;
      if (typeof one === "object") throw new ConfigurationError(`The query parameter ${name} cannot be an object.`);
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(one)}`);
    }
  return pairs.join("&");
}

/**
 * The address of a service, without a slash at its end.
 * @throws {@link ConfigurationError} where it is missing, or no plain address of http. Its text is not repeated.
 */
export function baseUrlOf(service: string, option: string | undefined): string {
  const name = `TRAINYARD_${service.replace(/\W/g, "_").toUpperCase()}_URL`;
  try {
    // In a browser, "/api" is an address too.
    const url = new URL(option || variable(name) || "", globalThis.location?.href);
    const { protocol, username, password, search, hash } = url;
    if (/^https?:$/.test(protocol) && !(username || password || search || hash)) return url.href.replace(/\/+$/, "");
  } catch {}
  throw new ConfigurationError(`The ${service} client needs a plain address of http: pass baseUrl, or set ${name}.`);
}
