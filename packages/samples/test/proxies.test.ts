import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createTrainingClient } from "@trainyard/training";
import * as undici8 from "undici";
import * as undici6 from "undici6";
import * as undici7 from "undici7";
import { expect, it, onTestFinished } from "vitest";

async function listen(server: Server): Promise<string> {
  onTestFinished(() => server.close().closeAllConnections());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A proxy that answers each request with a status, tunnels too. */
const refusing = (status: number): Promise<string> =>
  listen(
    createServer((_, response) => void response.writeHead(status).end()).on(
      "connect",
      (_, socket) =>
        socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`),
    ),
  );

it.each([
  [6, undici6],
  [7, undici7],
  [8, undici8],
] as const)(
  "undici %i: a dead proxy, one that refuses, and one without the service do not read alike",
  async (_, undici) => {
    const closed = createServer();
    const dead = await listen(closed);
    await new Promise((done) => closed.close(done));
    const failure = async (proxy: string, baseUrl: string): Promise<unknown> => {
      const dispatcher = new undici.ProxyAgent(`http://${proxy}`);
      // The types of the versions differ only in what the client does not use.
      const fetch = undici.fetch as typeof undici8.fetch;
      const client = createTrainingClient({
        baseUrl,
        apiKey: "k",
        maxRetries: 0,
        fetch,
        fetchOptions: { dispatcher },
      });
      return client.models
        .create({ project: "p", name: "n", base_model: "b" })
        .catch((error: unknown) => error);
    };
    const service = `http://${await listen(createServer((_, response) => void response.end("{}")))}`;
    const statuses = [403, 407, 502];
    const proxies = await Promise.all(statuses.map(refusing));
    for (const baseUrl of [service, "https://training.test"]) {
      expect(await failure(dead, baseUrl)).toMatchObject({
        name: "ConnectionError",
        message: `models.create: no connection to ${dead}, on the way to ${baseUrl} (ECONNREFUSED)`,
        outcomeUnknown: false,
      });
      for (const [index, status] of statuses.entries()) {
        const error = await failure(proxies[index] ?? "", baseUrl);
        expect(String(error)).toMatch(
          // Version 8 sends what is not encrypted without a tunnel, so that the proxy's answer arrives.
          new RegExp(
            `: the proxy answered ${status} instead of connecting to ${baseUrl} |: answered ${status}: `,
          ),
        );
        if (String(error).startsWith("ConnectionError"))
          expect(error).toMatchObject({ outcomeUnknown: false });
      }
    }
  },
);
