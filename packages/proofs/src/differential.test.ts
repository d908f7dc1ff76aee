/** A real Prism and our host respond to any request with the same status, except for listed classes with reasons. */
import { mockService } from "@trainyard/mock";
import { cases, packages, type Case } from "@trainyard/testing/services";
import * as fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { exceptions, type Pair } from "./exceptions.ts";
import { startPrism } from "./prism.ts";
import { report } from "./report.ts";
import { operationAt, requestsOf, send, type Sent } from "./requests.ts";

// `pnpm exec vitest run --project fuzz` sends 20,000; a run of the tests, a few.
const total = Number(process.env["WITNESS_REQUESTS"] ?? 600);
// Ends a run that hangs. On a busy machine, requests that take seconds can take minutes.
const patience = 600_000;
const used = new Map<string, number>();
let pairs = 0;

type Ask = (sent: Sent) => Promise<number>;
const asks = new Map<string, { readonly prism: Ask; readonly own: Ask }>();
for (const { name, document } of packages) {
  const prism = await startPrism(document);
  afterAll(() => prism.close());
  const ask =
    (server: Parameters<typeof send>[1]): Ask =>
    async (sent) => {
      const response = await send(sent, server);
      await response.arrayBuffer();
      return response.status;
    };
  asks.set(name, { prism: ask({ baseUrl: prism.url, fetch }), own: ask(mockService(document).connect()) });
}

/** Compares the two, and fails if they differ without an exception. */
async function compare({ service, operation }: Case, sent: Sent): Promise<void> {
  const { prism, own } = asks.get(service) ?? expect.fail(`Nobody serves ${service}.`);
  // A random request may match another operation.
  const found = operationAt(service, sent);
  const pair: Pair = { operation: found ?? operation, sent, prism: await prism(sent), own: await own(sent) };
  pairs++;
  if (pair.prism === pair.own) return;
  const exception = exceptions.find((one) => one.applies(pair));
  if (exception === undefined) throw new Error(`Prism returned ${pair.prism}, our host ${pair.own}.`);
  used.set(exception.name, (used.get(exception.name) ?? 0) + 1);
}

async function compareSome(entry: Case, requests: number): Promise<void> {
  // A body has more variants than a query.
  const numRuns = Math.ceil(requests * (entry.operation.body ? 1.3 : 0.7));
  await fc.assert(
    fc.asyncProperty(requestsOf(entry), (sent) => compare(entry, sent)),
    { numRuns },
  );
}

it.each(cases)(
  "$service $operation.method $operation.path accepts and rejects the same requests as Prism",
  (entry) => compareSome(entry, total / cases.length),
  patience,
);

const unused = () => exceptions.filter(({ name }) => !used.has(name)).map(({ name }) => name);

it(
  "needs at most ten classes of exceptions, and each of them",
  async () => {
    expect(exceptions.length).toBeLessThanOrEqual(10);
    // Look further for a class that did not occur by chance. The rarest need an operation that may be called without a key, or
    // one with two statuses for invalid requests.
    const isRare = ({ operation: { security, responses } }: Case) =>
      security.some((set) => set.length === 0) || (responses.has("400") && responses.has("422"));
    const ordered = [...cases.filter(isRare), ...cases.filter((entry) => !isRare(entry))];
    for (let rounds = 0; rounds < 10; rounds++)
      for (const entry of ordered) if (unused().length > 0) await compareSome(entry, 50);
    expect(unused()).toEqual([]);
    const explained = [...used.values()].reduce((whole, one) => whole + one, 0);
    const sentence = `Prism and our host validated ${pairs} random requests: ${pairs - explained} alike, ${explained} by the ${used.size} classes of exceptions.`;
    report("prism-pairs", sentence);
  },
  patience,
);
