import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pickClient, TrainyardError, type CallOptions, type ClientOptions, type Op } from "@trainyard/core";
import { dialect, type Resend, resends } from "@trainyard/document";
import { expect, it, vi } from "vitest";
import { root } from "../src/places.ts";

// The behavior of the clients, measured. The pages below describe it in sentences, which must contain these figures.
const service = { name: "demo", contractVersion: "1.0.0", timeout: 60 };
type Send = (options?: CallOptions) => Promise<unknown>;

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
  const get: Op<Send> = { name: "get", method: "GET", path: "/thing", resend };
  const client = pickClient(service, { baseUrl: "http://demo.test", apiKey: null, fetch, ...options }, { get });
  const ended = Promise.allSettled([client.get()]);
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

/** How a call can fail, as the sentences of `x-resend` name it. */
const failures: Readonly<Record<string, RegExp>> = {
  429: /a 429/,
  503: /a 5xx/,
  "a lost connection": /a lost connection/,
  "a refused connection": /a lost connection|never made/,
};

/** Whether a sentence says that clients retry a call that failed so. */
function promises(sentence: string, failure: RegExp, hasKey: boolean): boolean {
  const [always = "", unknown = ""] = sentence.split("If the outcome is unknown");
  return failure.test(always) || (hasKey && unknown.includes("only with an `Idempotency-Key`"));
}

/** How often a client sends a request that fails so, over real connections. */
async function sentAfter(failure: string, resend: Resend, hasKey: boolean): Promise<number> {
  let sent = 0;
  const server = createServer((request, response) => {
    sent++;
    if (failure === "a lost connection") request.socket.destroy();
    else response.writeHead(Number(failure), { "retry-after-ms": "1" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  if (failure === "a refused connection") await new Promise((resolve) => server.close(resolve));
  const create: Op<Send> = { name: "create", method: "POST", path: "/things", resend };
  const options = { baseUrl: `http://127.0.0.1:${port}`, apiKey: null, maxRetries: 1 };
  const key = hasKey ? { headers: { "idempotency-key": "one" } } : {};
  const ended = await pickClient(service, options, { create })
    .create(key)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  server.close();
  return ended instanceof TrainyardError ? ended.attempts : sent;
}

const cases = resends.flatMap((resend) =>
  Object.keys(failures).flatMap((failure) => [false, true].map((hasKey) => ({ resend, failure, hasKey }))),
);
it.concurrent.each(cases)(
  "x-resend $resend says what a client does after $failure, with a key: $hasKey",
  async ({ resend, failure, hasKey }) => {
    const sentence = dialect.resend.describe({ rule: resend }) ?? "";
    const isRetried = promises(sentence, failures[failure] ?? /never/, hasKey);
    expect(await sentAfter(failure, resend, hasKey)).toBe(isRetried ? 2 : 1);
  },
);

const steps = waits.slice(0, 3).map((ms) => `${seconds(ms)} s`);
const pages: [file: string, says: string][] = [
  ["packages/core/README.md", `retries a call after ${statuses.join(", ")}, 5xx,`],
  ["packages/core/README.md", `waits ${seconds(first)} s before the second attempt and twice as long before each`],
  ["packages/core/README.md", `up to ${seconds(longest)} s, minus a random part of up to a quarter`],
  ["packages/core/src/options.ts", `after a failure that allows it. Default \`${further}\`.`],
  ["packages/docs/src/content/docs/guides/retries.mdx", `waits ${seconds(first)} s before the second attempt`],
  [
    "packages/docs/src/content/docs/guides/retries.mdx",
    `up to ${seconds(longest)} s. It subtracts a random part of up to a`,
  ],
  ["packages/docs/public/drawings/retry.svg", `or else ${steps.join(", ")} and so on up to ${seconds(longest)} s`],
  ["packages/docs/public/drawings/retry.svg", `>else ${steps.join(", ")} … ${seconds(longest)} s,<`],
  ["packages/docs/public/drawings/retry.svg", `>${further} more by default<`],
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
