import { readFile, realpath, stat } from "node:fs/promises";
import { extname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".wasm": "application/wasm",
  ".xml": "application/xml",
  ".yaml": "application/yaml",
};

function typeOf(file: string): string {
  return types[extname(file)] ?? "application/octet-stream";
}

const compress = promisify(gzip);

/** A response with a file, compressed if the client can read that. Pictures and weights are compressed already. */
async function pageOf(
  { method, headers: sent }: Request,
  body: string | Buffer<ArrayBuffer>,
  status: number,
  headers: Record<string, string>,
): Promise<Response> {
  const isText = /text|json|xml|yaml|svg|wasm/.test(headers["Content-Type"] ?? "");
  if (!isText || !/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(sent.get("accept-encoding") ?? ""))
    return new Response(method === "HEAD" ? null : body, { status, headers });
  const packed = await compress(body);
  const how = { "Content-Encoding": "gzip", Vary: "Accept-Encoding" };
  return new Response(method === "HEAD" ? null : packed, { status, headers: { ...headers, ...how } });
}

/**
 * Serves the files of a folder below `/docs`. For a missing file, the folder's `404.html` is returned with the status 404.
 * Undefined for other paths, and for missing files if there is no such page. Hidden files (`.git`, `.env`) and links that
 * lead outside of the folder count as missing. While the folder does not exist, because the site is still being built, the
 * response is a page with the status 503 that reloads itself.
 */
export function siteFrom(folder: string): (request: Request) => Promise<Response | undefined> {
  const root = resolve(folder);
  return async (request) => {
    const { method } = request;
    const { pathname } = new URL(request.url);
    if ((method !== "GET" && method !== "HEAD") || !/^\/docs(\/|$)/.test(pathname)) return undefined;
    if (pathname === "/docs") return new Response(null, { status: 308, headers: { Location: "/docs/" } });
    const file = await findFile(root, pathname.slice("/docs".length));
    if (file === undefined)
      return (await isFolder(root)) ? missing(root, request) : pageOf(request, waiting, 503, notBuilt);
    // The links of a page are relative to its folder.
    if (file.endsWith(`${sep}index.html`) && !/\/(index\.html)?$/.test(pathname)) {
      return new Response(null, {
        status: 308,
        headers: { Location: `${pathname.slice(pathname.lastIndexOf("/") + 1)}/` },
      });
    }
    const headers = { "Content-Type": typeOf(file), "X-Content-Type-Options": "nosniff" };
    return pageOf(request, await readFile(file), 200, headers);
  };
}

/** The site's own page for addresses that do not exist. Its links begin at the root of the site, which is `/docs` here. */
async function missing(root: string, request: Request): Promise<Response | undefined> {
  const file = await findFile(root, "/404.html");
  if (file === undefined) return undefined;
  const page = await readFile(file, "utf8");
  const body = page.replaceAll(/(<(?:a|img|link|script)\b[^>]*?\s(?:href|src)=")\//g, "$1/docs/");
  return pageOf(request, body, 404, { "Content-Type": typeOf(file), "X-Content-Type-Options": "nosniff" });
}

const waiting = "This site is not built yet: its folder does not exist. This page reloads itself until it does.\n";
const plainText = { "Content-Type": "text/plain; charset=utf-8" };
const notBuilt = { ...plainText, Refresh: "2", "Retry-After": "2", "Cache-Control": "no-store" };

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

async function findFile(root: string, path: string): Promise<string | undefined> {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  const file = resolve(join(root, decoded));
  if (decoded.includes("\0") || (file !== root && !file.startsWith(root + sep))) return undefined;
  if (decoded.split(/[/\\]/).some((part) => part.startsWith("."))) return undefined;
  for (const candidate of [file, join(file, "index.html"), `${file}.html`]) {
    if (!(await stat(candidate).catch(() => undefined))?.isFile()) continue;
    const [real, folder] = await Promise.all([realpath(candidate), realpath(root)]);
    if (real.startsWith(folder + sep)) return candidate;
  }
  return undefined;
}

// In the sources as in the package, this file is two folders below the package's root.
const consoleFolder = fileURLToPath(new URL("../../dist/pages/", import.meta.url));

/** Pages load nothing from elsewhere, and no text of a rollout is run as a script; images in messages are data URLs. */
const consoleHeaders = {
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
export async function consolePages(request: Request): Promise<Response | undefined> {
  const { url, method, headers: sent } = request;
  if (method !== "GET" && method !== "HEAD") return undefined;
  const { pathname } = new URL(url);
  const wantsPage = (sent.get("accept") ?? "").includes("text/html");
  if (pathname === "/console" || (pathname === "/" && wantsPage)) {
    return new Response(null, { status: 303, headers: { Location: "console/" } });
  }
  if (!pathname.startsWith("/console/")) return undefined;
  const name = pathname.slice("/console/".length);
  // The script reads from the address which page to show.
  const file = /^[\w-]+\.(js|css|svg)$/.test(name) ? name : "index.html";
  const content = await readFile(join(consoleFolder, file)).catch(() => undefined);
  if (content !== undefined) {
    // Relative, because a proxy may serve the console below a path of its own.
    const up = "../".repeat(name.split("/").length - 1);
    const body = file === "index.html" ? content.toString().replaceAll('="./', `="./${up}`) : content;
    return pageOf(request, body, 200, { ...consoleHeaders, "Content-Type": typeOf(file) });
  }
  if (file !== "index.html") return undefined;
  const text = "The console is not built. Build it with: npx -y pnpm@12 build\n";
  return pageOf(request, text, 503, { ...consoleHeaders, ...plainText });
}
