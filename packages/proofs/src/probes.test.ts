/** Mock and local server respond alike to any request, valid or not, in everything that precedes a handler. */
import { mockService } from "@trainyard/mock";
import { createServer } from "@trainyard/server";
import { cases, type Case } from "@trainyard/testing/services";
import * as fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { probesOf, outcomeOf, type Outcome } from "./probes.ts";
import { report } from "./report.ts";
import { send, type Sent } from "./requests.ts";

// `pnpm exec vitest run --project fuzz` sends 20,000; a run of the tests, a few.
const total = Number(process.env["WITNESS_PROBES"] ?? 400);
// Ends a run that hangs. On a busy machine, requests that take seconds can take minutes.
const patience = 600_000;
let alike = 0;
const key = "a-key";

const faults: unknown[] = [];
const options = {
  keys: [{ key, entity: "harbor" }],
  report: (fault: unknown) => faults.push(fault),
};
const server = createServer(options);
// A separate server, so that its control operations do not affect the other services. Its control key is no entity's.
const controlled = createServer({ ...options, keys: [{ key: "another-key", entity: "harbor" }], controlKey: key });
afterAll(() => Promise.all([server.close(), controlled.close()]));

const mocks = new Map(
  cases.map(({ service, document }) => [service, mockService(document, { keys: [key] }).connect()]),
);

/** Sends a request to both, and fails if their responses differ. */
async function compare({ service, operation }: Case, sent: Sent): Promise<void> {
  const mock = await ask(mocks.get(service) ?? expect.fail(`Nobody serves ${service}.`), sent);
  const isControl = service === "local";
  const answered = await ask((isControl ? controlled : server).connect(service), atOnce(sent));
  const local = isControl ? withoutNames(answered) : answered;
  if (local === undefined) return;
  const fields = isPerformed(mock, local, operation.responses) ? always : Object.keys({ ...mock, ...local });
  const found = fields.filter((field) => JSON.stringify(mock[field]) !== JSON.stringify(local[field]));
  for (const field of found) {
    const [shown, own] = [mock, local].map((outcome) => JSON.stringify(outcome[field]));
    throw new Error(`${field}: ${shown} of the mock, ${own} of the server.`);
  }
  alike++;
}

/** A request that may wait up to 30 s for changes; here it does not wait. */
function atOnce(sent: Sent): Sent {
  const shorter = (whole: string, wait: string) => (Number(wait) > 0 && Number(wait) <= 30_000 ? "wait_ms=0" : whole);
  return { ...sent, target: sent.target.replace(/\bwait_ms=(\d+)\b/, shorter) };
}

/**
 * Without the faults of names in a query, which only the control interface refuses; undefined if it had no other. The mock
 * ignores such names, as the services do.
 */
function withoutNames(local: Outcome): Outcome | undefined {
  const places: unknown[] = Array.isArray(local["places"]) ? local["places"] : [];
  const others = places.filter((place) => !/^\[\["query",.*"extra_forbidden"\]$/.test(JSON.stringify(place)));
  if (others.length === places.length) return local;
  return others.length === 0 ? undefined : { ...local, places: others };
}

/** The headers of every response. */
const always = ["x-request-id", "vary", "access-control-allow-origin", "access-control-expose-headers"];

/**
 * Whether both accepted a request. The mock then returns an example, and the server its data or a semantic error, whose
 * faults have types that no schema produces.
 */
function isPerformed(mock: Outcome, local: Outcome, declared: ReadonlyMap<string, unknown>): boolean {
  const status = Number(local["status"]);
  if (Number(mock["status"]) >= 300) return false;
  if (status < 300) return true;
  const places = Array.isArray(local["places"]) ? local["places"] : [];
  return (
    declared.has(String(status)) && ![401, 413].includes(status) && places.every(([, type]) => type === "value_error")
  );
}

async function compareSome(entry: Case, requests: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(probesOf(entry), (sent) => compare(entry, sent)),
    { numRuns: Math.ceil(requests) },
  );
}

it.each(cases)(
  "$service $operation.method $operation.path is rejected alike",
  (entry) => compareSome(entry, total / cases.length),
  patience,
);

it("had no internal error", () => {
  expect(faults).toEqual([]);
  const sentence = `Mock and local server responded alike to ${alike} requests.`;
  report("probes", sentence);
});

async function ask(host: Parameters<typeof send>[1], sent: Sent): Promise<Outcome> {
  return outcomeOf(await send(sent, host));
}
