import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Document } from "@trainyard/document";

/** Who may read the console: who has opened the printed address in this browser. */
export interface ConsoleAccess {
  /** Opens the console: it stands in the fragment of the address that is printed, and is good while the server runs. */
  readonly code: string;
  /** Where the server listens. It names the cookie. */
  listens(url: string): void;
  /** What sets the cookie, for the right code. */
  cookieFor(code: string): string | undefined;
  /** The request with the control key, where its cookie opens what it reads; else as it came. */
  admit(request: Request): Request;
}

/**
 * The access to the console. Its cookie opens the reads of the console and nothing else, from its own pages alone.
 *
 * @param document of the control interface
 * @param controlKey what opens its operations
 */
export function consoleAccess({ prefix, operations }: Document, controlKey: string): ConsoleAccess {
  const code = randomBytes(16).toString("base64url");
  const session = randomBytes(24).toString("base64url");
  const reads = operations
    .filter(({ method, name }) => method === "GET" && name.startsWith("runs."))
    .map(({ path }) => new RegExp(`^${prefix}${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`));
  let name = "trainyard_console";
  return {
    code,
    listens(url) {
      // Cookies know no ports: two servers of one machine would take each other's away.
      name = `trainyard_console_${new URL(url).port}`;
    },
    cookieFor: (given) =>
      isSame(given, code) ? `${name}=${session}; Path=${prefix}; HttpOnly; SameSite=Strict` : undefined,
    admit(request) {
      const { method, headers, url } = request;
      if ((method !== "GET" && method !== "HEAD") || headers.has("authorization") || !headers.has("cookie"))
        return request;
      const { pathname, origin } = new URL(url);
      if (!reads.some((read) => read.test(pathname))) return request;
      // Another port of this machine is the same site to a cookie, and another origin to us.
      const from = headers.get("origin");
      const site = headers.get("sec-fetch-site") ?? "same-origin";
      if ((from !== null && from !== origin) || (site !== "same-origin" && site !== "none")) return request;
      const cookie = (headers.get("cookie") ?? "").split(/;\s*/).find((one) => one.startsWith(`${name}=`));
      if (cookie === undefined || !isSame(cookie.slice(name.length + 1), session)) return request;
      const admitted = new Headers(headers);
      admitted.set("authorization", `Bearer ${controlKey}`);
      return new Request(url, { method, headers: admitted, signal: request.signal });
    },
  };
}

/** In a time that does not tell how much of it is right. */
function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
