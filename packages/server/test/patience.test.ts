import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { listening, makeServer, until, type TestServer } from "./lib.ts";
import { whole } from "./whole.ts";

/** Opens a connection that sends this text and no more, and returns what it receives until the server closes it. */
function half(url: string, text: string): { readonly socket: Socket; readonly ended: Promise<string> } {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.setEncoding("utf8").on("data", (part: string) => (received += part));
  // A reset connection still has what it received.
  socket.on("error", () => undefined).write(text);
  return { socket, ended: once(socket, "close").then(() => received) };
}

const head = (key: string, length = 1000): string =>
  `POST /v1/preview/models HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

async function serve(patience: { withoutKeyMs: number; withKeyMs: number }): Promise<[TestServer, string, string]> {
  const server = makeServer({ limits: { requests: 4 } });
  const url = await server.listen({ port: 0, patience });
  return [server, url, server.connect("training").apiKey];
}

it("closes stalled requests without a key, and waits for those with one", async () => {
  const [server, url, key] = await serve({ withoutKeyMs: 200, withKeyMs: 60_000 });
  const body = JSON.stringify({ project: "p", name: "slow", base_model: "demo/tiny" });
  const slow = half(url, head(key, body.length) + body.slice(0, 5));
  const [headers, wrong] = await Promise.all([
    half(url, "GET /v1/health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ").ended,
    half(url, head("wrong")).ended,
  ]);
  expect(headers).toMatch(
    /^HTTP\/1\.1 408 [^]*"Headers, and a body without a valid key, may take [\d.]+ seconds, and a request [\d.]+: this one took longer\."/,
  );
  // The request is rejected at once, without waiting for its body.
  expect(wrong).toMatch(/^HTTP\/1\.1 401 /);
  expect(slow.socket.destroyed).toBe(false);
  slow.socket.write(body.slice(5));
  expect(await slow.ended).toMatch(/^HTTP\/1\.1 200 [^]*"name":"slow"/);
  await server.end();
});

it.skipIf(!whole)(
  "responds to health checks while the maximum number of bodies arrives slowly, and closes those with a key at last",
  async () => {
    const [server, url, key] = await serve({ withoutKeyMs: 100, withKeyMs: 700 });
    const slow = Array.from({ length: 6 }, () => half(url, `${head(key)}{`));
    const whole = await fetch(`${url}/v1/preview/models/x/checkpoints`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect([429, 404]).toContain(whole.status);
    expect((await fetch(`${url}/v1/health`)).status).toBe(200);
    const answers = await Promise.all(slow.map(({ ended }) => ended));
    // A request that arrives before another one was closed exceeds the limit.
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 (408|429) /);
    expect(answers.filter((answer) => answer.startsWith("HTTP/1.1 408")).length).toBeGreaterThanOrEqual(4);
    await server.end();
  },
);

it("refuses a body whose length is above the limit before it is sent, and asks for any other", async () => {
  const [server, url, key] = await serve({ withoutKeyMs: 60_000, withKeyMs: 60_000 });
  const expecting = (length: number) => head(key, length).replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n");
  const refused = await half(url, expecting(2 ** 30)).ended;
  expect(refused).toMatch(/^HTTP\/1\.1 413 [^]*The request body is larger than 33554432 bytes \(--body-limit\)\./);
  const body = JSON.stringify({ project: "p", name: "asked", base_model: "demo/tiny" });
  const { socket, ended } = half(url, expecting(body.length));
  expect(String((await once(socket, "data"))[0])).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  socket.write(body);
  expect(await ended).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 [^]*"name":"asked"/);
  await server.end();
});

it.each(["Host: localhost\r\nHost: localhost", "host: localhost\r\nX-A: b\r\nHOST: example.org", "X-A: b"])(
  "refuses a request without one Host header: %j",
  async (hosts) => {
    const [server, url] = await serve({ withoutKeyMs: 60_000, withKeyMs: 60_000 });
    const { ended } = half(url, `GET /v1/health HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`);
    expect(await ended).toMatch(/^HTTP\/1\.1 400 [^]*The header Host must be the name of one host/);
    await server.end();
  },
);

it("listens on no address that is empty", async () => {
  const server = makeServer();
  await expect(server.listen({ port: 0, host: "" })).rejects.toThrow("The host is empty. Name an address");
  await server.end();
});

it("cuts what still sends or waits when the time to stop is over, streams with an event that says why", async () => {
  // It never ends what it begins, and answers nothing but streams.
  const upstream = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    const delta = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
    const chunk = { ...delta, choices: [{ index: 0, delta: { content: "hi" }, finish_reason: null }] };
    if (body.includes('"stream":true'))
      response.writeHead(200, { "Content-Type": "text/event-stream" }).write(`data: ${JSON.stringify(chunk)}\n\n`);
  });
  onTestFinished(() => upstream.closeAllConnections());
  onTestFinished(() => void upstream.close());
  const port = await listening(upstream);
  const server = makeServer({ backend: { url: `http://127.0.0.1:${port}/v1` }, stopMs: 100 });
  const url = await server.listen({ port: 0 });
  const { apiKey } = server.connect("training");
  const chat = (stream: boolean) => {
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], stream });
    return half(url, head(apiKey, body.length).replace("/v1/preview/models", "/v1/chat/completions") + body);
  };
  const [sending, waiting, stream] = [half(url, `${head(apiKey)}{`), chat(false), chat(true)];
  await once(stream.socket, "data");
  await until(async () => (await server.control.faults.list()).data.length === 0);
  await server.end();
  expect(await stream.ended).toMatch(
    /"content":"hi"[^]*data: \{"error":\{[^]*The server is shutting down\.[^]*0\r\n\r\n$/,
  );
  expect([await sending.ended, await waiting.ended]).toEqual(["", ""]);
});
