import { createServer, type ServerResponse } from "node:http";
import { referencePage } from "./page.ts";

export interface ReferenceOptions {
  /** The port; the next free one where it is taken. 0 takes any. */
  readonly port: number;
  /** The bundles that are served, by service. */
  readonly bundles: () => ReadonlyMap<string, string>;
  /** Told how long a page took, in milliseconds since the save or the request that asked for it. */
  readonly made: (service: string, ms: number) => void;
}

/** The references at a port of loopback. */
export interface Reference {
  readonly url: string;
  /**
   * Makes the pages of these services anew: at once where somebody looks at them, else when somebody asks. Resolves when
   * those who look have been told.
   */
  changed(services: readonly string[], since: number): Promise<void>;
  close(): Promise<void>;
}

/** The page may fetch nothing from elsewhere. */
const policy = "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:";

/** Serves the references. A page takes most of a second to make, so that it is made for those who look at it. */
export async function serveReference({ port, bundles, made }: ReferenceOptions): Promise<Reference> {
  const ended = new AbortController();
  const pages = new Map<string, Promise<string>>();
  const readers = new Map<string, Set<ServerResponse>>();

  function page(service: string, file: string, since: number): Promise<string> {
    const known = pages.get(service);
    if (known !== undefined) return known;
    const making = referencePage(service, file, ended.signal);
    pages.set(service, making);
    making.then(
      () => made(service, performance.now() - since),
      // The next who asks may have more luck.
      () => pages.get(service) === making && pages.delete(service),
    );
    return making;
  }

  async function answer(path: string, response: ServerResponse): Promise<void> {
    const [, service = "", rest] = /^\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    const file = bundles().get(service);
    if (path === "/") return html(response, 200, contents([...bundles().keys()]));
    if (file === undefined) return html(response, 404, "There is no such reference.");
    if (rest === undefined) return void response.writeHead(301, { location: `/${service}/` }).end();
    if (rest === "/events") return listen(service, response);
    if (rest !== "/") return html(response, 404, "There is no such page.");
    try {
      html(response, 200, await page(service, file, performance.now()));
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
    async changed(services, since) {
      const told = services.map(async (service) => {
        pages.delete(service);
        const file = bundles().get(service);
        const looking = readers.get(service);
        if (file === undefined || looking === undefined || looking.size === 0) return;
        await page(service, file, since);
        for (const response of looking) response.write("data: made\n\n");
      });
      await Promise.allSettled(told);
    },
    async close() {
      ended.abort();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await Promise.allSettled(pages.values());
    },
  };
}

function html(response: ServerResponse, status: number, text: string): void {
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" };
  response.writeHead(status, { ...headers, "content-security-policy": policy }).end(text);
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
