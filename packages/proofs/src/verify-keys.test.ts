/** Every byte that `trainyard verify` sends to an address that is not on this machine, as far as it can tell. */
import dns from "node:dns";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyCommand } from "@trainyard/live/verify";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { contracts } from "./verify/listening.ts";
import { key, trueServer } from "./verify/server.ts";

const elsewhere = "service.example";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

const open: Server[] = [];
const portOf = async (server: Server): Promise<number> => {
  open.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
};

/** A port that forwards to another one, and what arrived there. */
async function recorder(to: number): Promise<{ readonly port: number; readonly sent: () => string }> {
  const pieces: Buffer[] = [];
  const server = createTcpServer((from) => {
    const onward = connect(to, "127.0.0.1");
    from.on("data", (piece) => pieces.push(piece)).pipe(onward);
    onward.pipe(from);
    for (const socket of [from, onward]) socket.on("error", () => from.destroy());
  });
  return { port: await portOf(server), sent: () => Buffer.concat(pieces).toString("latin1") };
}

/** What was sent without the declared places of the key, as far as it contains the key, also encoded. */
function strayed(sent: string, declared: readonly string[]): string[] {
  const lines = sent.split("\r\n").map((line) => declared.reduce((rest, place) => rest.replace(place, ""), line));
  const isStray = (line: string): boolean =>
    [line, ...line.split(/[^\w+/=-]/).map((word) => Buffer.from(word, "base64").toString())].some((text) =>
      text.includes(key),
    );
  return lines.filter(isStray);
}

async function run(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<string> {
  let out = "";
  const write = (text: string | Uint8Array) => void (out += String(text));
  await verifyCommand(args, contracts, { out: write, err: write, environment });
  return out;
}

beforeAll(() => {
  const { lookup } = dns;
  // The connection asks for all addresses of a name.
  const found = (name: string, ...rest: [object, (error: null, addresses: object[]) => void]): void =>
    name === elsewhere
      ? rest[1](null, [{ address: "127.0.0.1", family: 4 }])
      : Reflect.apply(lookup, dns, [name, ...rest]);
  vi.spyOn(dns, "lookup").mockImplementation(found as typeof lookup);
});
afterAll(() => {
  vi.restoreAllMocks();
  for (const server of open) server.close();
});

it.each([["--read"], ["--write", "--confirm", elsewhere]])(
  "sends our key nowhere else with %s",
  { tags: ["long"] },
  async (...args) => {
    const server = await trueServer(undefined, undefined, { hosts: [elsewhere] });
    try {
      const { port, sent } = await recorder(Number(new URL(await server.listen({ port: 0 })).port));
      const environment = { TRAINYARD_API_KEY: key, TRAINYARD_ACCESS_TOKEN: key };
      const out = await run([`http://${elsewhere}:${port}`, ...args], environment);
      const declared = [`authorization: Bearer ${key}`, `authorization: Basic ${base64(`api:${key}`)}`];
      expect(strayed(sent(), declared)).toEqual([]);
      expect(sent()).toContain(declared[0]);
      expect(out).toMatch(/inference models\.list .*401: not with the key elsewhere/);
    } finally {
      await server.close();
    }
  },
);

it.each<[carrier: string, scheme: object, declared: readonly string[]]>([
  ["a header", { type: "apiKey", in: "header", name: "X-Key" }, [`X-Key: ${key}`]],
  ["the query", { type: "apiKey", in: "query", name: "k" }, [`k=${key}`]],
  ["a cookie", { type: "apiKey", in: "cookie", name: "k" }, [`cookie: k=${key}`]],
  ["a bearer", { type: "http", scheme: "bearer" }, [`authorization: Bearer ${key}`]],
  ["basic", { type: "http", scheme: "basic" }, [`authorization: Basic ${base64(`api:${key}`)}`]],
])("sends a stranger's key in %s nowhere else, but on this machine", async (_, key_, declared) => {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-keys-"));
  const answered = { 200: { description: "", content: { "application/json": { schema: {} } } } };
  const get = { operationId: "list", responses: answered };
  const document = {
    openapi: "3.1.0",
    info: { title: "Keyed", version: "1.0.0" },
    security: [{ key: [] }],
    components: { securitySchemes: { key: key_ } },
    paths: { "/things": { get, post: { ...get, operationId: "add" } } },
  };
  const file = join(folder, "keyed.json");
  writeFileSync(file, JSON.stringify(document));
  const service = createHttpServer((request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const to = await portOf(service);
  const look = async (host: string, ...args: readonly string[]) => {
    const { port, sent } = await recorder(to);
    const address = `http://${host}:${port}`;
    const out = await run(["--document", file, address, ...args], {
      TRAINYARD_KEYED_API_KEY: key,
      TRAINYARD_API_KEY: key,
    });
    return { out, stray: strayed(sent(), declared), sent: sent() };
  };
  for (const args of [["--read"], ["--confirm", elsewhere]]) {
    const { out, stray, sent } = await look(elsewhere, ...args);
    expect(stray).toEqual([]);
    for (const place of declared) expect(sent).toContain(place);
    expect(out).toMatch(/keyed list .*401: not with the key elsewhere/);
  }
  const here = await look("127.0.0.1");
  expect(here.stray).not.toEqual([]);
  expect(here.out).not.toContain("not with the key elsewhere");
  rmSync(folder, { recursive: true });
});
