/** A simple file server on loopback. The site needs no more than that. */
import { createReadStream, statSync, type Stats } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { extname, join, normalize, sep } from "node:path";

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".yaml": "application/yaml; charset=utf-8",
};

/** Files whose names contain a hash of their content. */
const hashed = /[\\/]_astro[\\/]/;

export interface ServeOptions {
  /** The folder to serve. */
  readonly folder: string;
  /** The path of the folder, such as `/docs/`. Default: `/`. */
  readonly under?: string;
}

function stats(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}

/** Creates a server of a folder, which does not listen yet. */
export function siteServer({ folder, under = "/" }: ServeOptions): Server {
  return createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    if (!path.startsWith(under)) return missing(response, folder);
    const inside = normalize(decodeURI(path.slice(under.length)));
    if (inside.split(sep).includes("..")) return missing(response, folder);
    let file = join(folder, inside);
    if (stats(file)?.isDirectory()) {
      if (!path.endsWith("/")) return void response.writeHead(301, { location: `${path}/` }).end();
      file = join(file, "index.html");
    }
    if (stats(file)?.isFile() !== true) return missing(response, folder);
    send(response, 200, file, request.method === "HEAD");
  });
}

function missing(response: ServerResponse, folder: string): void {
  const page = join(folder, "404.html");
  if (stats(page) === undefined) response.writeHead(404).end();
  else send(response, 404, page, false);
}

function send(response: ServerResponse, status: number, file: string, headOnly: boolean): void {
  response.writeHead(status, {
    "content-type": types[extname(file)] ?? "application/octet-stream",
    "cache-control": hashed.test(file) ? "max-age=31536000, immutable" : "no-cache",
  });
  if (headOnly) response.end();
  else createReadStream(file).pipe(response);
}

/** Listens on a port of loopback, or on the next free one, and returns its address. `0` uses any free port. */
export async function listen(server: Server, port: number): Promise<string> {
  for (let next = port; ; next++) {
    const taken = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      server.once("error", resolve);
      server.listen(next, "127.0.0.1", () => {
        server.off("error", resolve);
        resolve(undefined);
      });
    });
    if (taken === undefined) break;
    if (taken.code !== "EADDRINUSE" || next > port + 100) throw taken;
  }
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return `http://127.0.0.1:${address.port}`;
}
