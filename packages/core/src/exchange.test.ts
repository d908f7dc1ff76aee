import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createDemoClient, type DemoClient } from "../test/demo-client.ts";
import { rejection } from "../test/answering.ts";
import { serve, serveSockets } from "../test/server.ts";

const clientOf = (baseUrl: string): DemoClient =>
  createDemoClient({ baseUrl, apiKey: "key-of-the-demo", maxRetries: 0, timeoutMs: 3000 });

const body = '{"id":"m1","name":"n","base_model":"b"}';
const head = (headers: string): string => `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${headers}\r\n\r\n`;

/** What a raw server does with its connection, and the result of a call: the name of the error, or the id of the model. */
const faults: [string, (socket: Socket) => void, string][] = [
  ["reset before the headers", (socket) => void socket.resetAndDestroy(), "ConnectionError"],
  ["closed before the headers", (socket) => void socket.end(), "ConnectionError"],
  [
    "reset within the headers",
    (socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent", () => socket.resetAndDestroy()),
    "ConnectionError",
  ],
  [
    "reset after the headers",
    (socket) => void socket.write(head("content-length: 40"), () => setTimeout(() => socket.resetAndDestroy(), 5)),
    "ConnectionError",
  ],
  ["closed in the body", (socket) => void socket.end(head("content-length: 99") + body), "ConnectionError"],
  [
    "closed in a chunk",
    (socket) => void socket.end(`${head("transfer-encoding: chunked")}ff\r\n${body}`),
    "ConnectionError",
  ],
  ["no HTTP at all", (socket) => void socket.end("SSH-2.0-x\r\n\r\n"), "ConnectionError"],
  [
    "gzip that lies",
    (socket) => void socket.end(`${head(`content-encoding: gzip\r\ncontent-length: ${body.length}`)}${body}`),
    "ConnectionError",
  ],
  [
    // Node gives what it could unpack.
    "gzip that is cut",
    (socket) => {
      const part = gzipSync(body).subarray(0, 20);
      socket.write(head(`content-encoding: gzip\r\ncontent-length: ${part.length}`));
      socket.end(part);
    },
    "DecodeError",
  ],
  ["JSON that is cut", (socket) => void socket.end(`${head("content-length: 20")}${body.slice(0, 20)}`), "DecodeError"],
  ["an empty body", (socket) => void socket.end(head("content-length: 0")), "DecodeError"],
  ["a body until the connection ends", (socket) => void socket.end(head("connection: close") + body), "m1"],
];

describe("faults on the wire", () => {
  // A rejection that nobody handles fails the run.
  it.each(faults)("%s", async (_, act, outcome) => {
    const { url } = await serveSockets(act);
    const client = clientOf(url);
    const outcomes = await Promise.all(
      [client.models.get("m1"), client.check(), client.models.create({ name: "n", base_model: "b" })].map((call) =>
        call.then(
          (answer) => ("id" in answer ? answer.id : answer),
          (error: unknown) => error,
        ),
      ),
    );
    for (const each of outcomes) {
      if (outcome === "m1") expect(each).toBe("m1");
      else expect(each).toMatchObject({ name: outcome, attempts: 1 });
    }
    // Only the operation that may be sent again leaves nothing open.
    if (outcome !== "m1")
      expect(outcomes).toMatchObject([{ outcomeUnknown: false }, { outcomeUnknown: true }, { outcomeUnknown: true }]);
  });

  it("refused: every operation is retried, because the service never received it", async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    await new Promise((done) => server.close(done));
    const client = createDemoClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "key-of-the-demo", maxRetries: 1 });
    expect(await rejection(client.check())).toMatchObject({
      name: "ConnectionError",
      outcomeUnknown: false,
      attempts: 2,
    });
  });

  it("502 with HTML is reported as the proxy's, without its page in the message", async () => {
    const { url } = await serve(
      (_, response) => void response.writeHead(502, { "content-type": "text/html" }).end("<html>gateway</html>"),
    );
    expect(await rejection(clientOf(url).models.get("m1"))).toMatchObject({
      name: "ServerError",
      status: 502,
      message: expect.stringMatching(/^models.get: answered 502: Bad Gateway, text\/html, \d+ bytes, as from a proxy$/),
    });
  });

  it("after a fault, the next call of the client works", async () => {
    const { url } = await serve((_, response, count) => {
      if (count === 1) response.destroy();
      else response.end(body);
    });
    const client = clientOf(url);
    await rejection(client.models.get("m1"));
    expect(await client.models.get("m1")).toMatchObject({ id: "m1" });
  });
});
