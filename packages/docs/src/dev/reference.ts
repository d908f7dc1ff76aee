import { createServer, type Server, type ServerResponse } from "node:http";
import { escapeHtml } from "../reference/html.ts";
import { pageFile, referencePage } from "./page.ts";

export interface ReferenceOptions {
  /** The port, or the next free one if it is in use. 0 selects any free port. */
  readonly port: number;
  /** The served bundles, by service. */
  readonly bundles: () => ReadonlyMap<string, string>;
}

/** The references, served on a loopback port. */
export interface Reference {
  readonly url: string;
  /** Reloads the open pages of these services. Returns the services that have an open page. */
  changed(services: readonly string[]): string[];
  close(): Promise<void>;
}

/** The page may load nothing from elsewhere. */
const policy = "default-src 'self'; img-src data:";

/** Serves the references. A page is rendered when it is requested. */
export async function serveReference({ port, bundles }: ReferenceOptions): Promise<Reference> {
  const readers = new Map<string, Set<ServerResponse>>();

  function answer(path: string, response: ServerResponse): void {
    if (path === "/") return html(response, 200, contents([...bundles().keys()]));
    const file = pageFile(path);
    if (file !== undefined) return asset(response, file);
    const [, service = "", rest] = /^\/(?:reference\/)?([^/]+)(\/.*)?$/.exec(path) ?? [];
    const bundle = bundles().get(service);
    if (bundle === undefined)
      return html(response, 404, "This page does not exist here. `pnpm run docs` serves the whole site.");
    if (path === `/${service}/events`) return listen(service, response);
    if (path === `/${service}` || path === `/${service}/` || rest === undefined) {
      return void response.writeHead(301, { location: `/reference/${service}/` }).end();
    }
    try {
      const page = referencePage(service, bundle, path);
      html(response, page === undefined ? 404 : 200, page ?? "This operation or schema does not exist.");
    } catch (error) {
      html(response, 500, `<pre>${escapeHtml(error instanceof Error ? error.message : String(error))}</pre>`);
    }
  }

  function listen(service: string, response: ServerResponse): void {
    const all = readers.get(service) ?? new Set();
    readers.set(service, all.add(response));
    response.once("close", () => all.delete(response));
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" }).flushHeaders();
  }

  const server = createServer((request, response) =>
    answer(decodeURI(new URL(request.url ?? "/", "http://localhost").pathname), response),
  );
  return {
    url: await listenNear(server, port),
    changed(services) {
      return services.filter((service) => {
        const looking = readers.get(service) ?? new Set();
        for (const response of looking) response.write("data: changed\n\n");
        return looking.size > 0;
      });
    },
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** Listens on a port of loopback, or on the next free one, and returns its address. */
function listenNear(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let next = port;
    const listen = () => server.listen(next, "127.0.0.1");
    server.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" && ++next <= port + 100) listen();
      else reject(error);
    });
    server.once("listening", () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === "object" && address?.port}`);
    });
    listen();
  });
}

function html(response: ServerResponse, status: number, text: string): void {
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" };
  response.writeHead(status, { ...headers, "content-security-policy": policy }).end(text);
}

function asset(response: ServerResponse, { type, text }: { readonly type: string; readonly text: string }): void {
  response.writeHead(200, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-cache" }).end(text);
}

function contents(services: readonly string[]): string {
  const links = services.map((service) => `<li><a href="/reference/${service}/">${escapeHtml(service)}</a></li>`);
  return `<!doctype html><html lang="en"><title>References</title><h1>References</h1><ul>${links.join("")}</ul></html>`;
}
