import { preview } from "astro";
import { site } from "../places.ts";

/** The built site on this machine. */
export interface SiteServer {
  /** Its address, with a slash at the end. */
  readonly home: string;
  readonly stop: () => Promise<void>;
}

/**
 * Serves the built site on a port of loopback, or on the next free one; `0` uses any free port.
 *
 * @param base the path of the site, such as `/docs/`
 */
export async function serveSite(port: number, base = "/"): Promise<SiteServer> {
  const server = await preview({ root: site, base, logLevel: "error", server: { host: "127.0.0.1", port } });
  return { home: `http://127.0.0.1:${server.port}${base}`, stop: () => server.stop() };
}
