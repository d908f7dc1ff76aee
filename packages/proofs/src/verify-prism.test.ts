/** @module-tag long */
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { isObject } from "@trainyard/core/validation";
import { flows, verify, type Finding, type LiveService } from "@trainyard/live";
import type { LocalServer } from "@trainyard/server";
import { textTable } from "@trainyard/terminal/table";
import { packages } from "@trainyard/testing/services";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPrism, type Prism } from "./prism.ts";
import { listen } from "./verify/listening.ts";
import { proxy, type Mutant } from "./verify/mutant.ts";
import { families, mutants } from "./verify/mutants/families.cases.ts";
import { finds, servicesOf, trueServer } from "./verify/server.ts";

type Sent = Readonly<{ operation: string; method: string; path: string; headers: Headers; body: string }>;

/** A service behind both proxies. */
interface Behind {
  readonly service: LiveService & { readonly fetch: typeof fetch };
  readonly address: string;
  readonly prism: Prism;
  /** The requests of a run that only reads. */
  readonly sent: readonly Sent[];
  mutant: Mutant | undefined;
  /** What it answers instead of what the service does. */
  answer: Response | undefined;
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
      const place = behind.get(service.name);
      const answer = proxy({ ...service, fetch: own }, place?.mutant);
      // Prism follows a redirect, and so asks twice.
      const got = place?.answer?.clone() ?? (await answer(`${origin}${request.url}`, await initOf(request)));
      response.writeHead(got.status, Object.fromEntries(got.headers)).end(Buffer.from(await got.arrayBuffer()));
    });
    await once(here.listen(0, "127.0.0.1"), "listening");
    const address = `http://127.0.0.1:${(here.address() as AddressInfo).port}`;
    const { document } = packages.find(({ name }) => name === service.name) ?? { document: {} };
    const prism = await startPrism(document, address + new URL(service.baseUrl).pathname);
    closing.push(() => here.close(), prism.close);
    behind.set(service.name, {
      service: { ...service, fetch: own },
      address,
      prism,
      sent,
      mutant: undefined,
      answer: undefined,
    });
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
  const options = ["--service", service.name, "--format", "json"];
  const { base, end } = await listen([...options, `${address}${new URL(service.baseUrl).pathname}`]);
  await replay(base, below(service, sent), () => undefined);
  const { findings }: { readonly findings: readonly Finding[] } = JSON.parse((await end()).out);
  return findings;
}

it("finds in the same traffic what Prism's proxy finds", { timeout: 600_000 }, async () => {
  const read = mutants.filter(({ write }) => !write);
  const [missed, prisms, ours]: [string[], string[], string[]] = [[], [], []];
  const usual = new Map<string, Set<string>>();
  for (const mutant of read) {
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
  console.log(`Of ${read.length} divergences, Prism's proxy finds ${prisms.length}, and ours ${ours.length}.`);
  expect(missed).toEqual([]);
  expect(prisms.length).toBeGreaterThan(5);
});

/** Verifies a service, and what Prism says of the same responses. */
async function look(own: LocalServer, name: string, mutant: Mutant | undefined, isWriting: boolean) {
  const place = behind.get(name) ?? expect.fail(name);
  const prism = new Set<string>();
  const services = servicesOf(own, mutant).map((service) => {
    if (service.name !== name) return service;
    const tell: typeof fetch = async (...args) => {
      const request = new Request(...args);
      const { method, url, headers } = request;
      const path = url.slice(new URL(url).origin.length);
      const body = await request.clone().text();
      const answer = await (service.fetch ?? fetch)(request);
      place.answer = answer.clone();
      for (const one of await prismFinds(place, [{ operation: "", method, path, headers, body }])) prism.add(one);
      place.answer = undefined;
      return answer;
    };
    return { ...service, fetch: tell };
  });
  const { findings } = await verify(services, { write: isWriting ? flows() : undefined, basis: "proposed" });
  return { findings, prism };
}

describe.runIf(process.env["VERIFY_MUTANTS"] === "all")("verify beside Prism's proxy, in the same traffic", () => {
  const counts = new Map(Object.keys(families).map((family) => [family, [0, 0, 0, 0]]));
  const usual = new Map<string, ReadonlySet<string>>();
  const rows = Object.entries(families).flatMap(([family, all]) =>
    all.map((mutant) => ({ family, mutant, ...mutant })),
  );

  it.each(rows)(
    "finds $service $operation: $title",
    { timeout: 60_000 },
    async ({ family, mutant, write, service }) => {
      let [found, other, prism]: [string | undefined, number, number] = [undefined, 0, 0];
      for (const isWriting of write ? [false, true] : [false]) {
        if (found !== undefined) continue;
        const own = await trueServer();
        const key = `${service} ${isWriting}`;
        if (!usual.has(key)) usual.set(key, (await look(own, service, undefined, isWriting)).prism);
        const seen = await look(own, service, mutant, isWriting);
        await own.close();
        if (finds(mutant, seen.findings)) found = isWriting ? "write" : "read";
        other += seen.findings.length;
        prism += [...seen.prism].filter((one) => usual.get(key)?.has(one) === false).length;
      }
      const count = counts.get(family) ?? [];
      const more = [1, Number(found === "read"), Number(found === "write"), Number(prism > 0)];
      counts.set(
        family,
        more.map((one, at) => one + (count[at] ?? 0)),
      );
      expect({ found, other }).toEqual({ found: expect.any(String), other });
    },
  );

  afterAll(() => {
    const all = [...counts].map(([family, count]) => [family, ...count.map(String)]);
    const sums = [0, 1, 2, 3].map((at) =>
      String([...counts.values()].reduce((sum, count) => sum + (count[at] ?? 0), 0)),
    );
    const head = ["", "cases", "found by reading", "found with --write alone", "found by Prism"];
    console.log(textTable([head, ...all, ["all", ...sums]]).join("\n"));
  });
});
