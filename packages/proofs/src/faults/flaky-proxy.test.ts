import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer } from "@trainyard/server";
import { MetFaults } from "@trainyard/testing";
import { createTrainingClient, type TrainingClient } from "@trainyard/training";
import { expect, it, onTestFinished } from "vitest";
import { fastClock } from "./fast-clock.ts";

type Send = (request: IncomingMessage) => Promise<{ readonly status: number; readonly text: string }>;
type Act = (request: IncomingMessage, response: ServerResponse, send: Send) => void | Promise<void>;

const good: Act = async (request, response, send) => {
  const { status, text } = await send(request);
  response.writeHead(status, { "content-type": "application/json" }).end(text);
};
/** The service does the work, and its answer breaks off. */
const brokenAt =
  (head: string): Act =>
  async (request, _, send) => {
    const { text } = await send(request);
    request.socket.write(head + (head.endsWith("\r\n\r\n") ? text.slice(0, 9) : ""));
    // Bytes before a reset are lost.
    request.socket.end();
  };

/** What the proxy does, in turn; what has a name is a fault. */
const acts: readonly (readonly [act: Act, fault?: string])[] = [
  [(_, response) => void response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad Gateway</h1>"), "502"],
  [good],
  [({ socket }) => void socket.resetAndDestroy(), "reset"],
  [good],
  [() => {}, "no answer"],
  [(_, response) => void response.writeHead(503, { "retry-after": "0" }).end(), "503"],
  [good],
  [brokenAt("HTTP/1.1 200 OK\r\ncontent-t"), "broken in the headers"],
  [
    brokenAt("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99999\r\n\r\n"),
    "broken in the body",
  ],
  [good],
  // The answer comes after the limit of the client.
  [async (request, _, send) => void (await send(request)), "late answer"],
  [good],
];

async function play(count: number): Promise<void> {
  const server = createServer({ keys: [{ key: "key-of-harbor", entity: "harbor" }] });
  const { baseUrl, apiKey, fetch } = server.connect("training");
  const send: Send = async (request) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "", headers } = request;
    const body = chunks.length > 0 && { body: Buffer.concat(chunks) };
    const response = await fetch(baseUrl + url, { method, headers: Object(headers), ...body });
    return { status: response.status, text: await response.text() };
  };
  let turn = 0;
  const faults = new MetFaults(...acts.flatMap(([, fault]) => fault ?? []));
  const proxy = createHttpServer((request, response) => {
    response.shouldKeepAlive = false;
    request.socket.on("error", () => {});
    const [act, fault] = acts[turn++ % acts.length] ?? [good];
    if (fault !== undefined) faults.met(fault);
    void act(request, response, send);
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  const restore = fastClock();
  onTestFinished(async () => {
    restore();
    proxy.closeAllConnections();
    proxy.close();
    await server.close();
  });

  const client = createTrainingClient({
    baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    apiKey,
    maxRetries: 5,
    // 0.6 s on the fast clock: an answer that comes must not be taken for late on a busy machine.
    timeoutMs: 60_000,
  });
  const create = (name: string, more: object, options: object) =>
    client.models.create({ project: "p", name, base_model: "demo/tiny", ...more }, options);
  const calls: readonly ((at: number, client: TrainingClient) => Promise<unknown>)[] = [
    () => client.models.listBase(),
    (at) => create(`returned-${at}`, { return_existing: true }, {}),
    (at) => create(`keyed-${at}`, {}, { idempotencyKey: `key-${at}` }),
  ];
  for (const call of calls) for (let at = 0; at < count; at++) await call(at, client);

  const { data } = (await (
    await fetch(`${server.connect("inference").baseUrl}/models`, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
  ).json()) as { data: { id: string }[] };
  const names = data.map(({ id }) => id).filter((id) => id.startsWith("artifact:"));
  expect([names.length, new Set(names).size]).toEqual([2 * count, 2 * count]);
  expect(turn).toBeGreaterThan(3 * count);
  faults.tell();
}

it("gets every call through a proxy that fails now and then, and creates no model twice", () => play(12));
it("does so for 200 calls of each kind", { tags: ["long"], timeout: 300_000 }, () => play(200));
