import { ConfigurationError } from "./errors/failures.ts";
import { discard } from "./discard.ts";
import type { Fetch, FetchInit } from "./fetch.ts";

const redirects = /^30[12378]$/;

/**
 * Sends a request. If `init` asks for `manual`, follows redirects itself, because the runtimes do not agree on which
 * headers another origin may see. Here it sees only those that describe the body. Removes the others from `headers`.
 * @throws {@link ConfigurationError} if a redirect leads to another protocol, such as `file:`, which some runtimes would
 * open, or from https to http; and if there are more than five.
 */
export async function follow(
  fetch: Fetch,
  url: string,
  init: Omit<FetchInit, "headers"> & { headers: Headers },
): Promise<Response> {
  const { headers } = init;
  const seen: string[] = [];
  for (;;) {
    // `fetch` implementations return responses of different classes.
    const response = (await fetch(url, { ...init, headers: Object.fromEntries(headers) })) as Response;
    const { status } = response;
    const location = response.headers.get("location");
    if (init.redirect !== "manual" || !location || !redirects.test(`${status}`)) return response;
    discard(response);
    const from = new URL(url);
    // Without a query, which may contain private values.
    if (seen.push(from.origin + from.pathname) > 5)
      throw new ConfigurationError(`too many redirects: ${[...new Set(seen)].join(", ")}: check \`baseUrl\`.`);
    const target = new URL(location, from);
    const { protocol, host, href } = target;
    if (protocol !== "https:" && (protocol !== "http:" || from.protocol === "https:")) {
      // As in other errors, only the origin; an address without a host has none.
      const to = host ? `${protocol}//${host}` : href.replace(/[?#].*/, "");
      throw new ConfigurationError(
        `${from.origin} redirects to ${to}. That is neither https, nor http from http: check \`baseUrl\`.`,
      );
    }
    if (target.origin !== from.origin)
      // Iterate over a copy, because the iterator of `Headers` skips the entry after a deleted one.
      for (const name in Object.fromEntries(headers))
        if (name !== "accept" && name !== "content-type") headers.delete(name);
    // As in browsers, these statuses change the method to GET.
    if (status === 303 || (status < 303 && init.method === "POST")) {
      headers.delete("content-type");
      init = { ...init, method: "GET", body: null };
    }
    url = href;
  }
}
