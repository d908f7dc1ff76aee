import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

// In the sources as in the package, this file is two folders below the package's root.
const folder = fileURLToPath(new URL("../../dist/pages/", import.meta.url));

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Pages load nothing from elsewhere, and no text of a rollout is run as a script; images in messages are data URLs. */
const headers = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-cache",
};

/**
 * Serves the pages of the console below `/console`, and redirects browsers there from `/`. Undefined for other paths.
 */
export async function consolePages({ url, method, headers: sent }: Request): Promise<Response | undefined> {
  if (method !== "GET" && method !== "HEAD") return undefined;
  const { pathname } = new URL(url);
  const wantsPage = (sent.get("accept") ?? "").includes("text/html");
  if (pathname === "/console" || (pathname === "/" && wantsPage)) {
    return new Response(null, { status: 303, headers: { Location: "/console/" } });
  }
  if (!pathname.startsWith("/console/")) return undefined;
  const name = pathname.slice("/console/".length);
  // The script reads from the address which page to show.
  const file = /^[\w-]+\.(js|css|svg)$/.test(name) ? name : "index.html";
  const body = await readFile(join(folder, file)).catch(() => undefined);
  if (body !== undefined) {
    const type = types[extname(file)] ?? "application/octet-stream";
    return new Response(method === "HEAD" ? null : body, { headers: { ...headers, "Content-Type": type } });
  }
  if (file !== "index.html") return undefined;
  return new Response("The console is not built. Build it with: npx -y pnpm@12 build\n", {
    status: 503,
    headers: { ...headers, "Content-Type": "text/plain; charset=utf-8" },
  });
}
