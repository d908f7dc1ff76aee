import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { gracefulShutdown } from "./graceful-shutdown.ts";
import type { Host } from "./host.ts";
import { headerSize } from "./limits.ts";
import { addressFault, answerUnreadable, continueOnRead, endSlowBody, largestHeaders } from "./unreadable.ts";
import { limitYoungGeneration } from "./heap-settings.ts";

/** Options of a port. */
export interface ListenOptions {
  /** Default: 4010. 0 selects a free one. */
  readonly port?: number;
  /** Default: `127.0.0.1`, which only this machine can reach. */
  readonly host?: string;
  /**
   * Whether the process does nothing else. If so, its global `Request` and `Response` are replaced by faster ones, and the
   * young generation of its heap is limited.
   */
  readonly ownProcess?: boolean;
  /** The time limits for receiving a request. */
  readonly patience?: Patience;
}

/** Time limits for slow clients. A request that takes longer gets 408, and its connection is closed. */
export interface Patience {
  /** Milliseconds for the headers, and for the body of a request without a valid key. Default: 30,000. */
  readonly withoutKeyMs?: number;
  /** Milliseconds for a whole request with a valid key. Default: 300,000. */
  readonly withKeyMs?: number;
}

/** A port that is served. */
export interface Listener {
  /** The address, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Stops accepting connections, and resolves when the existing ones have ended. After so many milliseconds, it cuts them. */
  readonly close: (ms?: number) => Promise<void>;
  /** Breaks all connections, and resolves when the port is free. */
  readonly break: () => Promise<void>;
}

/**
 * Serves a port.
 * @throws Error if it is taken
 */
export function listen(
  { fetch, unreadable }: Pick<Host, "fetch" | "unreadable">,
  { port = 4010, host = "127.0.0.1", ownProcess = false, patience = {} }: ListenOptions,
): Promise<Listener> {
  return new Promise((resolve, reject) => {
    // Node would listen on all addresses.
    if (host === "") throw new Error("The host is empty. Name an address, such as 127.0.0.1.");
    const { withoutKeyMs = 30_000, withKeyMs = 300_000 } = patience;
    const serverOptions = {
      // The host responds to a request without this header, and to headers above its own limit.
      requireHostHeader: false,
      maxHeaderSize: largestHeaders,
      headersTimeout: Math.min(withoutKeyMs, withKeyMs),
      requestTimeout: withKeyMs,
      // Longer than clients and proxies keep a connection: a request on a connection that is just being closed gets no
      // response.
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: Math.min(1000, Math.ceil(withoutKeyMs / 4)),
    };
    const listener = getRequestListener(
      (request, { incoming, outgoing }) => {
        const hosts = hostsIn(incoming.rawHeaders);
        // Of two, a proxy before this server may have checked the other one.
        if (hosts > 1 || (hosts === 0 && incoming.httpVersion === "1.1")) return unreadable(400, addressFault("host"));
        // Iterating the headers would create an object that is not needed.
        const size = headerSize(incoming.rawHeaders);
        const slow = endSlowBody({ incoming, outgoing, patience: { withoutKeyMs, withKeyMs }, unreadable });
        return fetch(request, size, slow, incoming.socket.remoteAddress).catch(() => {
          // The client is gone, or a plan breaks the connection: no other response may be sent.
          outgoing.destroy();
          return RESPONSE_ALREADY_SENT;
        });
      },
      {
        hostname: host,
        overrideGlobalObjects: ownProcess,
        errorHandler: (error) => unreadable(400, addressFault(error)),
      },
    );
    const server = createServer(serverOptions, listener);
    server.on("checkContinue", (incoming, outgoing) => {
      continueOnRead(incoming, outgoing);
      void listener(incoming, outgoing);
    });
    server.listen(port, host, () => {
      const { address, family, port: chosen } = server.address() as AddressInfo;
      const name = family === "IPv6" ? `[${address}]` : address;
      resolve({ url: `http://${name}:${chosen}`, port: chosen, close: stop, break: breakOff });
    });
    const stop = gracefulShutdown(server);
    const breakOff = (): Promise<void> =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      });
    if (ownProcess) limitYoungGeneration();
    server.on("error", reject);
    answerUnreadable(server, unreadable, { withoutKeyMs, withKeyMs });
  });
}

/** How many `Host` headers there are among names and values. */
function hostsIn(raw: readonly string[]): number {
  let found = 0;
  for (let at = 0; at < raw.length; at += 2) if (raw[at]?.length === 4 && raw[at]?.toLowerCase() === "host") found++;
  return found;
}
