import type { Fetch } from "./options.ts";
import { codeOf } from "./errors/code-of.ts";

/** How a credential travels. What the client sends where a document says nothing else is {@link bearer}. */
export interface Carrier {
  /** The header that takes it. Absent: it is no header's. */
  readonly header?: string;
  /** What is sent of a credential. */
  readonly write: (secret: string) => string;
  /** A `fetch` that sends what {@link Carrier.write} wrote, where no header takes it. */
  readonly around?: (fetch: Fetch, value: string) => Fetch;
}

const asIs = (secret: string): string => secret;

/** `Authorization: Bearer …`; so travel the tokens of OAuth2 and OpenID Connect too. */
export const bearer: Carrier = { header: "authorization", write: (secret) => `Bearer ${secret}` };

/** HTTP basic authentication with `user:password`. What has no colon is the password of the user `api`. */
export const basic: Carrier = {
  header: "authorization",
  write: (secret) => `Basic ${btoa(secret.includes(":") ? secret : `api:${secret}`)}`,
};

/** A header of its own. */
export const inHeader = (header: string): Carrier => ({ header, write: asIs });

/**
 * A query parameter. It goes to the address that is called and, after a redirect, to others of the same origin. No response and
 * no error tells an address that has it.
 */
export const inQuery = (name: string): Carrier => ({
  write: encodeURIComponent,
  around: (fetch, value) => {
    let home: string | undefined;
    return async (address, init) => {
      const url = new URL(address);
      // What a redirect repeats is not for another origin.
      if (url.searchParams.has(name)) url.searchParams.delete(name);
      const { href, origin } = url;
      home ??= origin;
      if (origin === home) url.search += `${url.search ? "&" : "?"}${encodeURIComponent(name)}=${value}`;
      const answer = await fetch(url.href, init).catch((cause: unknown) => {
        // Runtimes name the address in what they throw; of that, the code is what the rules of resending look at.
        throw Object.assign(new Error(`no answer from ${origin}`), { code: codeOf(cause) });
      });
      // What answers a `fetch` is a response, by whichever of its classes.
      const { body, headers, status, statusText } = answer as Response;
      return Object.defineProperty(new Response(body, { headers, status, statusText }), "url", { value: href });
    };
  },
});
