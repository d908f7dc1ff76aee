import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, it } from "vitest";
import { makeServer, type TestServer } from "./lib.ts";
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
  expect(headers).toMatch(/^HTTP\/1\.1 408 [^]*"The request took too long\."/);
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
