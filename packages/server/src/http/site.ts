import { readFile, realpath, stat } from "node:fs/promises";
import { extname, join, resolve, sep } from "node:path";

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

/**
 * Serves the files of a folder below `/docs`. For a missing file, the folder's `404.html` is returned with the status 404.
 * Undefined for other paths, and for missing files if there is no such page. Hidden files (`.git`, `.env`) and links that
 * lead outside of the folder count as missing. While the folder does not exist, because the site is still being built, the
 * response is a page with the status 503 that reloads itself.
 */
export function siteFrom(folder: string): (request: Request) => Promise<Response | undefined> {
  const root = resolve(folder);
  return async ({ url, method }) => {
    const { pathname } = new URL(url);
    if ((method !== "GET" && method !== "HEAD") || !/^\/docs(\/|$)/.test(pathname)) return undefined;
    if (pathname === "/docs") return new Response(null, { status: 308, headers: { Location: "/docs/" } });
    const file = await findFile(root, pathname.slice("/docs".length));
    if (file === undefined) return (await isFolder(root)) ? missing(root, method) : notBuilt(method);
    // The links of a page are relative to its folder.
    if (file.endsWith(`${sep}index.html`) && !/\/(index\.html)?$/.test(pathname)) {
      return new Response(null, {
        status: 308,
        headers: { Location: `${pathname.slice(pathname.lastIndexOf("/") + 1)}/` },
      });
    }
    const type = types[extname(file)] ?? "application/octet-stream";
    const body = method === "HEAD" ? null : await readFile(file);
    return new Response(body, { headers: { "Content-Type": type, "X-Content-Type-Options": "nosniff" } });
  };
}

/** The site's own page for addresses that do not exist. Its links begin at the root of the site, which is `/docs` here. */
async function missing(root: string, method: string): Promise<Response | undefined> {
  const file = await findFile(root, "/404.html");
  if (file === undefined) return undefined;
  const page = await readFile(file, "utf8");
  const body = page.replaceAll(/(<(?:a|img|link|script)\b[^>]*?\s(?:href|src)=")\//g, "$1/docs/");
  const headers = { "Content-Type": "text/html; charset=utf-8", "X-Content-Type-Options": "nosniff" };
  return new Response(method === "HEAD" ? null : body, { status: 404, headers });
}

const waiting = `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width" />
  <meta http-equiv="refresh" content="2" />
  <meta name="color-scheme" content="light dark" />
  <title>Not built yet</title>
  <h1>This site is not built yet</h1>
  <p>Its folder does not exist. This page reloads itself until it does.</p>
</html>
`;

function notBuilt(method: string): Response {
  const headers = { "Content-Type": "text/html; charset=utf-8", "Retry-After": "2", "Cache-Control": "no-store" };
  return new Response(method === "HEAD" ? null : waiting, { status: 503, headers });
}

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
