import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createEngine, type ClientOptions } from "@trainyard/core";
import { dialect, type Resend, resends } from "@trainyard/document";
import { expect, it, vi } from "vitest";
import { root } from "../src/places.ts";

// The behavior of the clients, measured. The pages below describe it in sentences, which must contain these figures.
/** The attempts of a call that always gets this status: milliseconds since the first attempt. */
async function attemptsAfter(
  status: number,
  options: ClientOptions = {},
  random = 0,
  resend: Resend = "always",
): Promise<number[]> {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(random);
  const sent: number[] = [];
  const fetch = (): Promise<Response> => {
    sent.push(Date.now());
    return Promise.resolve(new Response("{}", { status }));
  };
  const operations = { get: { method: "GET", path: "/thing", resend } } as const;
  const service = { name: "demo", contractVersion: "1.0.0", timeout: 60, operations };
  const { call } = createEngine(service, { baseUrl: "http://demo.test", apiKey: null, fetch, ...options });
  const ended = Promise.allSettled([call("get", {})]);
  await vi.runAllTimersAsync();
  await ended;
  return sent.map((at) => at - (sent[0] ?? 0));
}

const seconds = (ms: number): string => String(ms / 1000);
// A timer may fire a millisecond late.
const waitsOf = (sent: readonly number[]): number[] =>
  sent.slice(1).map((at, index) => Math.round((at - (sent[index] ?? 0)) / 10) * 10);

const statuses: number[] = [];
for (let status = 400; status < 500; status++) if ((await attemptsAfter(status)).length > 1) statuses.push(status);
const all5xx = (await Promise.all([500, 502, 503, 524, 599].map((one) => attemptsAfter(one)))).every((one) => one[1]);
const further = waitsOf(await attemptsAfter(503)).length;
const waits = waitsOf(await attemptsAfter(503, { maxRetries: 9 }));
const retried = await Promise.all(
  resends.map(async (resend) => {
    const [refusal, unknown] = [await attemptsAfter(429, {}, 0, resend), await attemptsAfter(503, {}, 0, resend)];
    return { resend, refused: refusal.length > 1, unknown: unknown.length > 1 };
  }),
);
const shortest = waitsOf(await attemptsAfter(503, {}, 1));
vi.useRealTimers();
vi.restoreAllMocks();
const first = waits[0] ?? 0;
const longest = Math.max(...waits);
/** The status that proves that the service did nothing. */
const refused = 429;

it("the measured retries follow the rules that the pages describe", () => {
  expect(all5xx).toBe(true);
  expect(statuses).toContain(refused);
  expect(waits).toEqual(waits.map((_, index) => Math.min(first * 2 ** index, longest)));
  expect((shortest[0] ?? 0) / first).toBeCloseTo(3 / 4, 1);
});

it.each(retried)("x-resend $resend describes when clients retry", ({ resend, refused: again, unknown }) => {
  expect(again).toBe(true);
  // What is retried only sometimes has to say when.
  expect(dialect.resend.describe({ rule: resend })?.startsWith("If the outcome is unknown")).toBe(!unknown);
});

it("no rule of an operation says that clients never retry it", () => {
  const bundles = globSync("packages/*/src/generated/openapi.json", { cwd: root });
  const texts = bundles.flatMap((file) => readFileSync(join(root, file), "utf8").match(/"text": ".*"/g) ?? []);
  const about = texts.filter((text) => /clients (do not )?retry/i.test(text));
  expect(about.length).toBeGreaterThan(0);
  expect(about.filter((text) => !/outcome is unknown/.test(text))).toEqual([]);
});

const steps = waits.slice(0, 3).map((ms) => `${seconds(ms)} s`);
const pages: [file: string, says: string][] = [
  ["packages/core/README.md", `retries a call after ${statuses.join(", ")}, 5xx,`],
  ["packages/core/README.md", `waits ${seconds(first)} s before the second attempt and twice as long before each`],
  ["packages/core/README.md", `up to ${seconds(longest)} s, minus a random part of up to a quarter`],
  ["packages/core/README.md", `| \`maxRetries\` | \`${further}\` |`],
  ["packages/docs/src/content/docs/guides/retries.mdx", `a timeout, ${statuses.join(", ")} and 5xx.`],
  ["packages/docs/src/content/docs/guides/retries.mdx", `waits ${seconds(first)} s before the second attempt`],
  [
    "packages/docs/src/content/docs/guides/retries.mdx",
    `up to ${seconds(longest)} s. It subtracts a random part of up to a`,
  ],
  ["packages/docs/src/drawings/retry.ts", `or else ${steps.join(", ")} and so on up to ${seconds(longest)} s`],
  ["packages/docs/src/drawings/retry.ts", `"else ${steps.join(", ")} … ${seconds(longest)} s,"`],
  ["packages/docs/src/drawings/retry.ts", `"${further} more by default"`],
];
it.each(pages)("%s describes the retries of the clients: “%s”", (file, says) => {
  const text = readFileSync(join(root, file), "utf8").replaceAll(/\s+/g, " ");
  expect(text.includes(says), `${file} does not describe what the clients do. Write there: ${says}`).toBe(true);
});

it("the example of waits in guides/retries.mdx is possible", () => {
  const guide = readFileSync(join(root, "packages/docs/src/content/docs/guides/retries.mdx"), "utf8");
  const [, example = ""] = /Example: (.+ s)\./.exec(guide) ?? [];
  const shown = [...example.matchAll(/([\d.]+) s/g)].map(([, number]) => Number(number) * 1000);
  expect(shown.length).toBeGreaterThan(1);
  for (const [index, ms] of shown.entries()) {
    expect(ms).toBeLessThanOrEqual(waits[index] ?? 0);
    expect(ms).toBeGreaterThanOrEqual((waits[index] ?? 0) * 0.75);
  }
});
