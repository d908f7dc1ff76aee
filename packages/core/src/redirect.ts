import type { Fetch, FetchInit } from "./options.ts";

const redirects = /^30[12378]$/;

/**
 * Sends a request and follows redirects itself where `init` asks for `manual`: the runtimes do not agree on which headers
 * another origin may see. Here it sees what describes the body, and nothing else. Removes what it does not see from `headers`.
 */
export async function follow(
  fetch: Fetch,
  url: string,
  init: Omit<FetchInit, "headers"> & { headers: Headers },
): Promise<Response> {
  const { headers } = init;
  for (let hops = 0; ; hops++) {
    // What answers a `fetch` is a response, by whichever of its classes.
    const response = (await fetch(url, { ...init, headers: Object.fromEntries(headers) })) as Response;
    const { status } = response;
    const location = response.headers.get("location");
    if (init.redirect !== "manual" || !location || !redirects.test(`${status}`)) return response;
    discard(response);
    if (hops === 5) throw new Error("The service redirects in circles.");
    const target = new URL(location, url);
    if (target.origin !== new URL(url).origin)
      // Of a copy, since the iterator of `Headers` passes over what follows a deleted one.
      for (const name in Object.fromEntries(headers))
        if (name !== "accept" && name !== "content-type") headers.delete(name);
    // As browsers do: these ask for the result to be fetched.
    if (status === 303 || (status < 303 && init.method === "POST")) {
      headers.delete("content-type");
      init = { ...init, method: "GET", body: null };
    }
    url = target.href;
  }
}

/** Gives up the body of a response, so that its connection does not wait for a reader. */
export function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}
