import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { gracefulShutdown } from "./graceful-shutdown.ts";

/** A server that stops gently, and the connections that it accepted. */
async function serve(answer: RequestListener) {
  const server = createServer(answer);
  const stop = gracefulShutdown(server);
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

it("does not wait for unused connections, or for those whose response was sent", async () => {
  const { stop, open } = await serve((_, response) => response.end("late"));
  const [silent, answered] = [await open(), await open()];
  answered.write(request);
  await once(answered, "data");
  const ends = [once(silent, "close"), once(answered, "close")];
  await stop();
  await Promise.all(ends);
});

it("completes a running response", async () => {
  const { server, stop, open } = await serve(() => undefined);
  const client = await open();
  const received = once(server, "request");
  client.write(request);
  const [, response] = await received;
  const stopped = stop();
  expect(server.listening).toBe(false);
  response.end("late");
  const [text] = await once(client, "data");
  expect(text).toContain("late");
  await stopped;
});
