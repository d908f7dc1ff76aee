import { readFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "node:util";
import { startServices, type Services } from "@trainyard/samples/start/services";
import { program } from "@trainyard/testing/browser";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sampleFacts } from "../../src/page/build/samples.ts";
import type { RequestMessage } from "../../src/page/protocol.ts";
import { recorded } from "../../src/page/worker/recorded.ts";
import type { WatchedPage } from "../browser.ts";
import { runSample, useSite, whole } from "./site.ts";

const facts = [...sampleFacts()];
const programs = facts.flatMap(([file, fact]) => (fact.runs ? [[file, fact.name] as const] : []));
/** The output of a model without a seed is random, and so are its logs. Those programs run last. */
const isChance = (file: string) => {
  const text = readFileSync(join(import.meta.dirname, "../../../samples", file), "utf8");
  return text.includes("chat.completions") && !text.includes("seed");
};
const chosen = programs.toSorted(([a], [b]) => Number(isChance(a)) - Number(isChance(b)));

it("nearly all samples that need only the clients run in a page", () => {
  expect(programs.length).toBeGreaterThan(30);
  const others = facts.flatMap(([, fact]) => (fact.runs ? [] : [fact.needs]));
  expect(others.filter((needs) => needs.length === 0)).toEqual([]);
});

// The same files, with the local server in Node and in a page, one after the other. Each uses the data of those before it.
describe.skipIf(program === undefined || !whole)("compared with the local server", () => {
  const site = useSite();
  let services: Services | undefined;
  let opened: WatchedPage | undefined;
  beforeAll(async () => {
    services = await startServices({ port: 0 });
    opened = await site.open("guides/chat/");
  });
  afterAll(() => services?.close());

  it.each(chosen)("%s has the same outcome in a page", async (file, name) => {
    if (services === undefined || opened === undefined) throw new Error("There is no page.");
    const expected = await runInNode(file, services.variables);
    const shown = await runSample(opened.page, name);
    expect(shown.status).toMatch(/^Done in/);
    expect(requestsOf(shown.requests)).toEqual(requestsOf(expected.requests));
    if (!isChance(file)) expect(plain(shown.prints)).toBe(plain(expected.prints));
    expect(shown.prints).toMatch(/\S/);
    expect(opened.faults).toEqual([]);
  });
});

interface Outcome {
  readonly prints: string;
  readonly requests: readonly string[];
}

async function runInNode(file: string, variables: Readonly<Record<string, string>>): Promise<Outcome> {
  let prints = "";
  const messages: RequestMessage[] = [];
  const { fetch } = globalThis;
  vi.stubGlobal(
    "fetch",
    recorded(
      (request) => fetch(request),
      (one) => messages.push(one),
    ),
  );
  for (const [variable, value] of Object.entries(variables)) vi.stubEnv(variable, value);
  const print = (...values: unknown[]) => void (prints += `${format(...values)}\n`);
  const spies = [
    ...(["log", "info", "error", "warn"] as const).map((level) => vi.spyOn(console, level).mockImplementation(print)),
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      prints += String(text);
      return true;
    }),
  ];
  try {
    await import(/* @vite-ignore */ `${join(import.meta.dirname, "../../../samples", file)}?page`);
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  }
  const requests = messages.filter((one) => one.kind === "request");
  const statusOf = (id: number) => messages.find((one) => one.kind === "answer" && one.id === id);
  return {
    prints,
    requests: requests.map(({ id, method, path }) => {
      const answer = statusOf(id);
      return `${method} ${path} ${answer?.kind === "answer" ? answer.status : "…"}`;
    }),
  };
}

/** Without what differs in each run: generated ids, durations, and the number of polls. */
function plain(text: string): string {
  return (
    text
      .replaceAll(/\b[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}\b/g, "<id>")
      .replaceAll(/\breq_\w+/g, "<request>")
      // Only an HTTP server adds these headers, and a page has none.
      .replaceAll(/^ *('content-length'|date): .*\n/gm, "")
      .replaceAll(/\b\d+(\.\d+)? ms\b/g, "<time>")
      .replaceAll(/durationMs: [\d.]+/g, "durationMs: <time>")
  );
}

/** In an order that does not depend on time, and without repeated polls. */
function requestsOf(requests: readonly string[]): string[] {
  const seen = requests.map((request) => plain(request).replace(/(\/events)\?\S*/, "$1"));
  return seen.filter((request, index) => !request.includes("/events") || seen.indexOf(request) === index).toSorted();
}
