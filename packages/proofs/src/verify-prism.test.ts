/** @module-tag long */
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { isObject } from "@trainyard/core/validation";
import { verify, type Finding, type LiveService } from "@trainyard/live";
import type { LocalServer } from "@trainyard/server";
import { packages } from "@trainyard/testing/services";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startPrism, type Prism } from "./prism.ts";
import { listen } from "./verify/listening.ts";
import { proxy, type Mutant } from "./verify/mutant.ts";
import { answers } from "./verify/mutants/answers.ts";
import { relations } from "./verify/mutants/relations.ts";
import { rules } from "./verify/mutants/rules.ts";
import { servicesOf, trueServer } from "./verify/server.ts";

type Sent = Readonly<{ operation: string; method: string; path: string; headers: Headers; body: string }>;

/** A service behind both proxies. */
interface Behind {
  readonly service: LiveService & { readonly fetch: typeof fetch };
  readonly address: string;
  readonly prism: Prism;
  /** The requests of a run that only reads. */
  readonly sent: readonly Sent[];
  mutant: Mutant | undefined;
}

let server: LocalServer;
const behind = new Map<string, Behind>();
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  server = await trueServer();
  closing.push(() => server.close());
  for (const service of servicesOf(server)) {
    const { fetch: own } = service;
    if (own === undefined) continue;
    const sent: Sent[] = [];
    const { origin } = new URL(service.baseUrl);
    for (const { name: operation } of service.document.operations) {
      const recorded = {
        ...service,
        fetch: async (...args: Parameters<typeof fetch>) => {
          const request = new Request(...args);
          const { method, url, headers } = request;
          sent.push({ operation, method, path: url.slice(origin.length), headers, body: await request.clone().text() });
          return own(request);
        },
      };
      await verify([recorded], { read: true, operations: [operation] });
    }
    const here = createHttpServer(async (request, response) => {
      const answer = proxy({ ...service, fetch: own }, behind.get(service.name)?.mutant);
      const got = await answer(`${origin}${request.url}`, await initOf(request));
      response.writeHead(got.status, Object.fromEntries(got.headers)).end(await got.text());
    });
    await once(here.listen(0, "127.0.0.1"), "listening");
    const address = `http://127.0.0.1:${(here.address() as AddressInfo).port}`;
    const { document } = packages.find(({ name }) => name === service.name) ?? { document: {} };
    const prism = await startPrism(document, address + new URL(service.baseUrl).pathname);
    closing.push(() => here.close(), prism.close);
    behind.set(service.name, { service: { ...service, fetch: own }, address, prism, sent, mutant: undefined });
  }
}, 120_000);
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

async function initOf(request: IncomingMessage): Promise<RequestInit> {
  const { method = "GET" } = request;
  const body = await buffer(request);
  const headers = new Headers(request.headers as Record<string, string>);
  return { method, headers, ...(body.length > 0 && { body: body.toString() }) };
}

/** Sends requests to a proxy, and gives each response to a function. */
async function replay(base: string, sent: readonly Sent[], see: (response: Response) => void): Promise<void> {
  for (const { method, path, headers, body } of sent) {
    const response = await fetch(base + path, { method, headers, redirect: "manual", ...(body !== "" && { body }) });
    await response.text().catch(() => "");
    see(response);
  }
}

/** The requests to the address that a proxy stands for. */
function below({ baseUrl }: LiveService, sent: readonly Sent[]): Sent[] {
  const { length } = new URL(baseUrl).pathname.replace(/\/$/, "");
  return sent.map((one) => ({ ...one, path: one.path.slice(length) }));
}

/** What Prism says of the responses to requests. */
async function prismFinds({ prism, service }: Behind, sent: readonly Sent[]): Promise<Set<string>> {
  const found = new Set<string>();
  await replay(prism.url, below(service, sent), ({ headers }) => {
    const all: unknown = JSON.parse(headers.get("sl-violations") ?? "[]");
    for (const one of Array.isArray(all) ? all.filter(isObject) : [])
      if ([one["location"]].flat()[0] === "response")
        found.add(`${String(one["code"])} ${JSON.stringify(one["location"])}`);
  });
  return found;
}

/** What our proxy finds. */
async function weFind({ address, service }: Behind, sent: readonly Sent[]): Promise<readonly Finding[]> {
  const { base, end } = await listen([
    "--service",
    service.name,
    "--format",
    "json",
    `${address}${new URL(service.baseUrl).pathname}`,
  ]);
  await replay(base, below(service, sent), () => undefined);
  const { findings }: { readonly findings: readonly Finding[] } = JSON.parse((await end()).out);
  return findings;
}

it("finds in the same traffic what Prism's proxy finds", { timeout: 600_000 }, async () => {
  const mutants = [...answers, ...rules, ...relations].filter(({ write }) => !write);
  const [missed, prisms, ours]: [string[], string[], string[]] = [[], [], []];
  const usual = new Map<string, Set<string>>();
  for (const mutant of mutants) {
    const place = behind.get(mutant.service);
    if (place === undefined) continue;
    const sent = place.sent.filter(({ operation }) => mutant.operation === "*" || operation === mutant.operation);
    const key = `${mutant.service} ${mutant.operation}`;
    place.mutant = undefined;
    if (!usual.has(key)) {
      usual.set(key, await prismFinds(place, sent));
      expect({ key, found: await weFind(place, sent) }).toEqual({ key, found: [] });
    }
    place.mutant = mutant;
    const prism = [...(await prismFinds(place, sent))].filter((one) => !usual.get(key)?.has(one));
    const found = await weFind(place, sent);
    if (prism.length > 0) prisms.push(mutant.title);
    if (found.length > 0) ours.push(mutant.title);
    if (prism.length > 0 && found.length === 0) missed.push(`${key}: ${mutant.title} (${prism.join(", ")})`);
  }
  console.log(`Of ${mutants.length} divergences, Prism's proxy finds ${prisms.length}, and ours ${ours.length}.`);
  expect(missed).toEqual([]);
  expect(prisms.length).toBeGreaterThan(5);
});
