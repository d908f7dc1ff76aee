import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { makeServer } from "./lib.ts";

it.each([
  ["headers above what is read at all", `GET / HTTP/1.1\r\nhost: a\r\nx: ${"x".repeat(2 ** 17)}\r\n\r\n`, 431],
  ["what is no request", "hello\r\n\r\n", 400],
  ["a target that is no path", "OPTIONS * HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n", 400],
  ["the name of no host", "GET /v1/health HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n", 400],
  ["no name of a host", "GET /v1/health HTTP/1.1\r\nconnection: close\r\n\r\n", 400],
])("rejects %s with an error of the contract, and keeps running", async (_, request, status) => {
  const server = makeServer();
  const url = new URL(await server.listen({ port: 0 }));
  const socket = connect(Number(url.port), url.hostname);
  await once(socket, "connect");
  // The server may respond and close the connection before everything is sent.
  socket.on("error", () => undefined).write(request);
  const [head = "", body = ""] = (await text(socket).catch(String)).split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(body)).toEqual({ detail: expect.any(String) });
  expect(await (await fetch(new URL("/v1/health", url))).json()).toEqual({ status: "ok" });
  await server.end();
});
