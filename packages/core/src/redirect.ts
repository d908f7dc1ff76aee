import type { Answer } from "./answer.ts";
import { ConfigurationError } from "./errors/failures.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";
import { unanswered } from "./errors/unanswered.ts";
import { discard } from "./discard.ts";
import type { Fetch, FetchInit } from "./fetch.ts";
import { redact } from "./secret.ts";

const redirects = /^30[12378]$/;

interface Runtimes {
  readonly Bun?: object;
  readonly Deno?: { readonly createHttpClient?: (options: { poolMaxIdlePerHost: number }) => object };
}

/** A client of Deno that uses each connection once. */
let client: object | undefined;

/**
 * The options with which `fetch` takes a new connection. If one that was used before breaks before the response, Deno
 * repeats any request by itself, and Bun all but POST and PATCH.
 */
function onNewConnection(): object | undefined {
  const { Bun, Deno } = globalThis as Runtimes;
  client ??= Deno?.createHttpClient?.({ poolMaxIdlePerHost: 0 });
  return client ? { client } : Bun && { keepalive: false };
}

/**
 * Sends a request. If `init` asks for `manual`, follows redirects itself, because the runtimes do not agree on which
 * headers another origin may see. Here it sees only those that describe the body. Removes the others from `headers`.
 * @throws {@link ConnectionError} if there is no response, and {@link ConfigurationError} if a redirect leads to a malformed
 * address, to another protocol, such as `file:`, which some runtimes would open, or from https to http; if it would turn
 * another method into GET; and if there are more than five.
 */
export async function follow(
  fetch: Fetch,
  url: string,
  init: Omit<FetchInit, "headers"> & { headers: Headers },
  facts: CallFacts,
  keys: Answer["keys"],
): Promise<Response> {
  const { headers, method } = init;
  const given = { ...(facts.outcomeUnknown && onNewConnection()), ...init };
  const seen: string[] = [];
  for (;;) {
    let response: Response;
    try {
      // `fetch` implementations return responses of different classes.
      response = (await fetch(url, { ...given, headers: Object.fromEntries(headers) })) as Response;
    } catch (cause) {
      throw unanswered(url, cause, facts, keys, seen.at(-1));
    }
    const { status } = response;
    const location = response.headers.get("location");
    if (init.redirect !== "manual" || !location || !redirects.test(`${status}`)) return response;
    discard(response);
    facts.response = response;
    // The address of a redirect may repeat the key.
    const refuse = (message: string): ConfigurationError => new ConfigurationError(redact(message, keys), facts);
    const from = new URL(url);
    const address = addressOf(from);
    if (seen.push(address) > 5) throw refuse(`too many redirects: ${[...new Set(seen)].join(", ")}: check \`baseUrl\``);
    if (!URL.canParse(location, url)) throw refuse(`${address} redirects to a malformed address: check \`baseUrl\``);
    const target = new URL(location, from);
    const { protocol, host, href } = target;
    if (protocol !== "https:" && (protocol !== "http:" || from.protocol === "https:")) {
      // As in other errors, only the origin; an address without a host has none.
      const to = host ? `${protocol}//${host}` : href.replace(/[?#].*/, "");
      throw refuse(`${from.origin} redirects to ${to}, neither https nor http from http: check \`baseUrl\``);
    }
    // Browsers send a GET after these, and the caller would take its response for that of the call.
    if (status < 304 && method !== "GET" && method !== "HEAD")
      throw refuse(
        `${address} answered ${status}, a redirect to ${addressOf(target)}, which is followed only for GET and HEAD: set \`baseUrl\` to the address without the redirect`,
      );
    if (target.origin !== from.origin)
      // Iterate over a copy, because the iterator of `Headers` skips the entry after a deleted one.
      for (const name in Object.fromEntries(headers))
        if (name !== "accept" && name !== "content-type") headers.delete(name);
    url = href;
  }
}

/** An address without its query, which may contain private values. */
function addressOf({ origin, pathname }: URL): string {
  return origin + pathname;
}
