import type { Fetch, FetchInit } from "./options.ts";

const redirects = /^30[12378]$/;

/**
 * Sends a request and follows redirects itself where `init` asks for `manual`: the runtimes do not agree on which headers
 * another origin may see. Here it sees what describes the body, and nothing else.
 */
export async function follow(
  fetch: Fetch,
  url: string,
  init: Omit<FetchInit, "headers"> & { headers: Headers },
): Promise<Response> {
  for (let hops = 0; ; hops++) {
    // What answers a `fetch` is a response, by whichever of its classes.
    const response = (await fetch(url, { ...init, headers: Object.fromEntries(init.headers) })) as Response;
    const location = response.headers.get("location");
    if (init.redirect !== "manual" || !location || !redirects.test(`${response.status}`)) return response;
    discard(response);
    if (hops === 5) throw new Error("The service redirects in circles.");
    const target = new URL(location, url);
    const headers = new Headers();
    const same = target.origin === new URL(url).origin;
    for (const [name, value] of init.headers)
      if (same || name === "accept" || name === "content-type") headers.set(name, value);
    init = { ...init, headers };
    // As browsers do: these ask for the result to be fetched.
    if (response.status === 303 || (response.status < 303 && init.method === "POST")) {
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
