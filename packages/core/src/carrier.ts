import type { Fetch } from "./fetch.ts";
import { codeOf } from "./errors/code-of.ts";

/** How a credential is sent. The default is {@link bearer}. */
export interface Carrier {
  /** The header that carries the credential. Undefined if the credential is not sent in a header. */
  readonly header?: string;
  /** The value to send for a credential. */
  readonly write: (secret: string) => string;
  /** Wraps a `fetch` so that it sends the value of {@link Carrier.write} outside of the headers. */
  readonly around?: (fetch: Fetch, value: string) => Fetch;
}

const asIs = (secret: string): string => secret;

/** `Authorization: Bearer …`, also for the tokens of OAuth2 and OpenID Connect. */
export const bearer: Carrier = { header: "authorization", write: (secret) => `Bearer ${secret}` };

/** HTTP basic authentication with `user:password`. A value without a colon is the password of the user `api`. */
export const basic: Carrier = {
  header: "authorization",
  write: (secret) => `Basic ${btoa(secret.includes(":") ? secret : `api:${secret}`)}`,
};

/** Sends the credential in a header of its own. */
export const inHeader = (header: string): Carrier => ({ header, write: asIs });

/** Sends the credential as a cookie, within the same origin. Browsers do not let a program set cookies, and send none. */
export const inCookie = (name: string): Carrier => ({
  write: (secret) => `${name}=${secret.replace(/[",;\\]/g, encodeURIComponent)}`,
  around: (fetch, value) => {
    let home: string | undefined;
    return (address, { headers, ...init }) => {
      const { origin } = new URL(address);
      home ??= origin;
      const cookie = [headers["cookie"], ...(origin === home ? [value] : [])].filter(Boolean).join("; ");
      return fetch(address, { ...init, headers: { ...headers, ...(cookie && { cookie }) } });
    };
  },
});

/**
 * Sends the credential as a query parameter. After a redirect it is sent only within the same origin. URLs in responses and
 * errors do not contain it.
 */
export const inQuery = (name: string): Carrier => ({
  write: encodeURIComponent,
  around: (fetch, value) => {
    let home: string | undefined;
    return async (address, init) => {
      const url = new URL(address);
      // Redirects may repeat the parameter, and another origin must not see it.
      if (url.searchParams.has(name)) url.searchParams.delete(name);
      const { href, origin } = url;
      home ??= origin;
      if (origin === home) url.search += `${url.search ? "&" : "?"}${encodeURIComponent(name)}=${value}`;
      const answer = await fetch(url.href, init).catch((cause: unknown) => {
        // Runtimes put the URL into their errors. Keep only the code, which decides whether the call is retried.
        throw Object.assign(new Error(`no response from ${origin}`), { code: codeOf(cause) });
      });
      // `fetch` implementations return responses of different classes.
      const { body, headers, status, statusText } = answer as Response;
      return Object.defineProperty(new Response(body, { headers, status, statusText }), "url", { value: href });
    };
  },
});
