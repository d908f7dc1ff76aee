import { isIP } from "node:net";
import { hostname as machine } from "node:os";

/** Whether anybody may ask for it by any name, without a key: it tells nothing, and balancers and probes have names of their own. */
const health = /\/v1\/health$/;
/** What pages are for, and what their scripts read. */
const ofPages = /^\/(console|_local|docs)(\/|$)|^\/$/;

/**
 * The names by which browsers may reach a port. A page of a foreign name that its owner leads to this machine (DNS rebinding)
 * is of the same origin as the port for its browser: only the name tells that it is foreign.
 */
export class OwnHosts {
  readonly #names: Set<string>;
  #listens = false;

  constructor(names: readonly string[] = []) {
    this.#names = new Set(["localhost", "local.invalid", ...names].map((name) => name.toLowerCase()));
  }

  /** From now on a port is served. */
  listens(host: string | undefined): void {
    this.#listens = true;
    for (const name of [host, machine()]) if (name !== undefined) this.#names.add(name.toLowerCase());
  }

  /** Whether a request may be answered. Who sends a key is no foreign page, but for what pages themselves are for. */
  admits({ url, headers }: Request): boolean {
    if (!this.#listens) return true;
    // To parse the whole address would cost every request more than this.
    const path = url.slice(url.indexOf("/", url.indexOf("//") + 2)).replace(/[?#].*/s, "");
    if (!ofPages.test(path) && (headers.has("authorization") || health.test(path))) return true;
    const { hostname } = new URL(url);
    // An address in numbers is nobody's name, so that it cannot be made to lead here.
    if (isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0 || hostname.endsWith(".localhost")) return true;
    return this.#names.has(hostname);
  }
}
