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
 * Serves the files of a folder below `/docs`. Undefined for other paths and missing files. Hidden files (`.git`,
 * `.env`) and links that lead outside of the folder count as missing.
 */
export function siteFrom(folder: string): (request: Request) => Promise<Response | undefined> {
  const root = resolve(folder);
  return async ({ url, method }) => {
    const { pathname } = new URL(url);
    if ((method !== "GET" && method !== "HEAD") || !/^\/docs(\/|$)/.test(pathname)) return undefined;
    if (pathname === "/docs") return new Response(null, { status: 308, headers: { Location: "/docs/" } });
    const file = await findFile(root, pathname.slice("/docs".length));
    if (file === undefined) return undefined;
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
