import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { gentleStop } from "./gentle-stop.ts";
import type { Host } from "./host.ts";
import { headerSize } from "./limits.ts";
import { endSlowBody } from "./slow-body.ts";
import { answerUnreadable } from "./unreadable.ts";

/** Where a server listens. */
export interface ListenOptions {
  /** 4010 by default; 0 for any that is free. */
  readonly port?: number;
  /** `127.0.0.1` by default: nobody but this machine. */
  readonly host?: string;
  /** Whether the process does nothing else: then its global `Request` and `Response` may be replaced by faster ones. */
  readonly ownProcess?: boolean;
  /** How long is waited for what a client sends. */
  readonly patience?: Patience;
}

/** How long is waited for headers and bodies that come slowly. A request that takes longer gets 408, and its connection ends. */
export interface Patience {
  /** Milliseconds for the headers, and for the body of who has sent no good key; 30,000 by default. */
  readonly withoutKeyMs?: number;
  /** Milliseconds for a whole request of who has sent a good key; 300,000 by default. */
  readonly withKeyMs?: number;
}

/** A port that is served. */
export interface Listener {
  /** The address, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Takes no more connections, and resolves once those that there are have ended. */
  readonly close: () => Promise<void>;
  /** Breaks all connections, and resolves once the port is free. */
  readonly break: () => Promise<void>;
}

/**
 * Serves a port.
 * @throws Error where it is taken
 */
export function listen(
  { fetch, unreadable }: Pick<Host, "fetch" | "unreadable">,
  { port = 4010, host = "127.0.0.1", ownProcess = false, patience = {} }: ListenOptions,
): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const { withoutKeyMs = 30_000, withKeyMs = 300_000 } = patience;
    const serverOptions = {
      // Above the limit of a host, so that it is the host that answers.
      maxHeaderSize: 128 * 2 ** 10,
      headersTimeout: Math.min(withoutKeyMs, withKeyMs),
      requestTimeout: withKeyMs,
      // Longer than clients and proxies keep a connection: who sends on one that is just being closed gets no answer.
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: Math.min(1000, Math.ceil(withoutKeyMs / 4)),
    };
    const server = serve(
      {
        // To walk through the headers of the request would make an object of them that nobody needs.
        fetch: (request, { incoming, outgoing }) =>
          fetch(
            request,
            headerSize(incoming.rawHeaders),
            endSlowBody({ incoming, outgoing, ms: withoutKeyMs, unreadable }),
          ).catch(() => {
            // Nobody waits, or it is planned that the connection breaks: no other answer may come.
            outgoing.destroy();
            return RESPONSE_ALREADY_SENT;
          }),
        port,
        hostname: host,
        serverOptions,
        overrideGlobalObjects: ownProcess,
      },
      (address: AddressInfo) => {
        const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
        resolve({ url: `http://${name}:${address.port}`, port: address.port, close: stop, break: breakOff });
      },
    );
    const stop = gentleStop(server);
    const breakOff = (): Promise<void> =>
      new Promise((done) => {
        server.close(() => done());
        if ("closeAllConnections" in server) server.closeAllConnections();
      });
    server.on("error", reject);
    answerUnreadable(server, unreadable);
  });
}
