import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { gentleStop } from "./gentle-stop.ts";

/** A server that stops gently, and connections to it that its side has seen. */
async function serve(answer: RequestListener) {
  const server = createServer(answer);
  const stop = gentleStop(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  async function open(): Promise<Socket> {
    const client = connect(port, "127.0.0.1").setEncoding("utf8");
    await once(server, "connection");
    return client;
  }
  return { server, stop, open };
}

const request = "GET / HTTP/1.1\r\nHost: here\r\n\r\n";

it("does not wait for a connection over which nothing was sent, nor for one that has its answer", async () => {
  const { stop, open } = await serve((_, response) => response.end("late"));
  const [silent, answered] = [await open(), await open()];
  answered.write(request);
  await once(answered, "data");
  const ends = [once(silent, "close"), once(answered, "close")];
  await stop();
  await Promise.all(ends);
});

it("lets an answer under way reach who waits for it", async () => {
  const { server, stop, open } = await serve(() => undefined);
  const client = await open();
  const asked = once(server, "request");
  client.write(request);
  const [, response] = await asked;
  const stopped = stop();
  expect(server.listening).toBe(false);
  response.end("late");
  const [text] = await once(client, "data");
  expect(text).toContain("late");
  await stopped;
});
