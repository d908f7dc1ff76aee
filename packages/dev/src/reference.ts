import { createServer, type ServerResponse } from "node:http";
import { referencePage } from "./page.ts";
import { readRedoc, type Redoc } from "./redoc.ts";

export interface ReferenceOptions {
  /** The port; the next free one where it is taken. 0 takes any. */
  readonly port: number;
  /** The bundles that are served, by service. */
  readonly bundles: () => ReadonlyMap<string, string>;
}

/** The references at a port of loopback. */
export interface Reference {
  readonly url: string;
  /** Has those who look at these services load them anew. Gives the services that somebody looks at. */
  changed(services: readonly string[]): string[];
  close(): Promise<void>;
}

/** The page may fetch nothing from elsewhere. */
const policy = "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:";

/** Serves the references. A page is made for who asks for it. */
export async function serveReference({ port, bundles }: ReferenceOptions): Promise<Reference> {
  const ended = new AbortController();
  const readers = new Map<string, Set<ServerResponse>>();
  let reading: Promise<Redoc> | undefined;

  function redoc(): Promise<Redoc> {
    reading ??= readRedoc(ended.signal).catch((error: unknown) => {
      // The next who asks may have more luck.
      reading = undefined;
      throw error;
    });
    return reading;
  }

  async function answer(path: string, response: ServerResponse): Promise<void> {
    const [, service = "", rest] = /^\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    const file = bundles().get(service);
    if (path === "/") return html(response, 200, contents([...bundles().keys()]));
    if (/^\/redoc\.\w+\.js$/.test(path)) return script(response, (await redoc()).program);
    if (file === undefined) return html(response, 404, "There is no such reference.");
    if (rest === undefined) return void response.writeHead(301, { location: `/${service}/` }).end();
    if (rest === "/events") return listen(service, response);
    if (rest !== "/") return html(response, 404, "There is no such page.");
    try {
      html(response, 200, referencePage(service, file, await redoc()));
    } catch (error) {
      html(response, 500, `<pre>${escape(error instanceof Error ? error.message : String(error))}</pre>`);
    }
  }

  function listen(service: string, response: ServerResponse): void {
    const all = readers.get(service) ?? new Set();
    readers.set(service, all.add(response));
    response.once("close", () => all.delete(response));
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" }).flushHeaders();
  }

  const server = createServer(
    (request, response) => void answer(new URL(request.url ?? "/", "http://localhost").pathname, response),
  );
  const url = await listenNear(server, port);
  return {
    url,
    changed(services) {
      return services.filter((service) => {
        const looking = readers.get(service) ?? new Set();
        for (const response of looking) response.write("data: changed\n\n");
        return looking.size > 0;
      });
    },
    async close() {
      ended.abort();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await reading?.catch(() => undefined);
    },
  };
}

function html(response: ServerResponse, status: number, text: string): void {
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" };
  response.writeHead(status, { ...headers, "content-security-policy": policy }).end(text);
}

/** Its name changes with it, so that a page that is loaded anew has it already. */
function script(response: ServerResponse, text: string): void {
  const headers = { "content-type": "text/javascript; charset=utf-8", "cache-control": "max-age=31536000, immutable" };
  response.writeHead(200, headers).end(text);
}

function contents(services: readonly string[]): string {
  const links = services.map((service) => `<li><a href="/${service}/">${escape(service)}</a></li>`);
  return `<!doctype html><html lang="en"><title>References</title><h1>References</h1><ul>${links.join("")}</ul></html>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

async function listenNear(server: ReturnType<typeof createServer>, port: number): Promise<string> {
  for (let next = port; ; next++) {
    const fault = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      server.once("error", resolve);
      server.listen(next, "127.0.0.1", () => {
        server.off("error", resolve);
        resolve(undefined);
      });
    });
    if (fault === undefined) break;
    if (fault.code !== "EADDRINUSE" || next > port + 100) throw fault;
  }
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The references have no port.");
  return `http://127.0.0.1:${address.port}`;
}
