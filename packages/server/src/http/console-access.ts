import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Document } from "@trainyard/document";

/** Access to the console: browsers that have opened the printed address may read it. */
export interface ConsoleAccess {
  /**
   * The code that opens the console. It is in the fragment of the printed address, and is valid while the server runs.
   */
  readonly code: string;
  /** Sets the port that the server listens on. The name of the cookie contains it. */
  listens(url: string): void;
  /** Returns the cookie, for the right code or a key that may read what it opens. */
  cookieFor(code: string, isKey: boolean): string | undefined;
  /** Adds the control key to the request if its cookie permits what it reads; otherwise returns it unchanged. */
  admit(request: Request): Request;
}

/** How long a browser keeps the cookie, in seconds: 30 days. */
const maxAge = 30 * 24 * 3600;

/**
 * The access to the console. Its cookie permits the reads of the console and nothing else, and only from its own pages.
 *
 * @param document the control interface
 * @param controlKey the key of its operations
 */
export function consoleAccess({ prefix, operations }: Document, controlKey: string): ConsoleAccess {
  const code = randomBytes(16).toString("base64url");
  // Outlives a restart, and ends with the key that signs it.
  const session = createHmac("sha256", controlKey).update("console").digest("base64url");
  const reads = operations
    .filter(({ method, name }) => method === "GET" && /^(runs|compare)\./.test(name))
    .map(({ path }) => new RegExp(`^${prefix}${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`));
  let name = "trainyard_console";
  return {
    code,
    listens(url) {
      // Cookies ignore ports: without the port in the name, two servers of one machine would overwrite each other's.
      name = `trainyard_console_${new URL(url).port}`;
    },
    cookieFor: (given, isKey) =>
      isSame(given, code) || isKey
        ? `${name}=${session}; Path=${prefix}; Max-Age=${maxAge}; HttpOnly; SameSite=Strict`
        : undefined,
    admit(request) {
      const { method, headers, url } = request;
      if ((method !== "GET" && method !== "HEAD") || headers.has("authorization") || !headers.has("cookie"))
        return request;
      const { pathname, origin } = new URL(url);
      if (!reads.some((read) => read.test(pathname))) return request;
      // To a cookie, another port of this machine is the same site. Here it is another origin.
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

/** Compares in constant time. */
function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
