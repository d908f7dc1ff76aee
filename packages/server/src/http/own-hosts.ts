import { isIP } from "node:net";
import { hostname as machine } from "node:os";

/**
 * Paths that need no key and accept every host name: they reveal nothing, and load balancers and probes have names of
 * their own.
 */
const health = /\/v1\/health$/;
/** Paths of pages, and of what their scripts read. */
const ofPages = /^\/(console|_local|docs)(\/|$)|^\/$/;

/**
 * The host names by which browsers may reach a port. In DNS rebinding, a foreign page points its own name at this
 * machine. Its browser then treats page and port as the same origin; only the host name shows that the page is foreign.
 */
export class OwnHosts {
  readonly #names: Set<string>;
  #listens = false;

  constructor(names: readonly string[] = []) {
    this.#names = new Set(["localhost", "local.invalid", ...names].map((name) => name.toLowerCase()));
  }

  /** Adds the host of a port that is now served. */
  listens(host: string | undefined): void {
    this.#listens = true;
    for (const name of [host, machine()]) if (name !== undefined) this.#names.add(name.toLowerCase());
  }

  /**
   * Whether a request may be served. A request with a key does not come from a foreign page, except for the paths of
   * pages.
   */
  admits({ url, headers }: Request): boolean {
    if (!this.#listens) return true;
    // Parsing the whole address would cost every request more than this.
    const path = url.slice(url.indexOf("/", url.indexOf("//") + 2)).replace(/[?#].*/s, "");
    if (!ofPages.test(path) && (headers.has("authorization") || health.test(path))) return true;
    const { hostname } = new URL(url);
    // A numeric address cannot be pointed at this machine by somebody else's DNS.
    if (isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0 || hostname.endsWith(".localhost")) return true;
    return this.#names.has(hostname);
  }
}
