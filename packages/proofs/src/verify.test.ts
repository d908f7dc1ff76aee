import { readDocument } from "@trainyard/document";
import { isObject } from "@trainyard/core/validation";
import { flows, verify, type LiveService } from "@trainyard/live";
import { startMock } from "@trainyard/mock";
import { createServer, type LocalServer } from "@trainyard/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proxy, raw, type Mutant } from "./verify/mutant.ts";
import { mutants } from "./verify/mutants/families.cases.ts";
import { pages } from "./verify/mutants/pages.cases.ts";
import { finds, key, liveServices, look, servicesOf, trueServer } from "./verify/server.ts";

const whole = process.env["VERIFY_MUTANTS"] === "all";
// A complete verification takes seconds: the short form verifies only operations that need few calls.
const cheap = new Set(["models.list", "hardware.list", "objects.read"]);
let server: LocalServer;

beforeAll(async () => {
  server = await trueServer();
});
afterAll(() => server.close());

describe("a conforming service", () => {
  it("is the local server, in the operations that few calls verify", async () => {
    const { findings, left, calls } = await look(server, undefined, { write: undefined, operations: [...cheap] });
    expect(findings).toEqual([]);
    expect(left).toEqual([]);
    expect(calls).toBeGreaterThan(20);
  });

  it("is the local server, in a complete run", { tags: ["long"] }, async () => {
    const { findings, left, calls, rules } = await look(server);
    expect(findings).toEqual([]);
    expect(left).toEqual([]);
    // The words of a row about what is tried are those of a request.
    expect(rules.unchecked.filter(({ why }) => why === "the run did not try it")).toEqual([]);
    expect(rules.checked).toBeGreaterThan(80);
    expect(calls).toBeGreaterThan(400);
  });

  it(`is the mock, ${whole ? "in a complete run" : "in the operations that few calls verify"}`, async () => {
    await using mock = await startMock({ port: 0 });
    const { findings, calls } = await verify(
      liveServices((name) => mock.connect(name), "a-key-for-the-mock"),
      whole ? { write: flows() } : { operations: [...cheap] },
    );
    expect(findings).toEqual([]);
    expect(calls).toBeGreaterThan(whole ? 200 : 20);
  });
});

describe("every flow of the guides runs to its end", { tags: ["long"] }, () => {
  const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);
  const steps = flows().flatMap(({ name, document }) =>
    listOf(isObject(document) && document["workflows"])
      .flatMap((workflow) => listOf(workflow["steps"]))
      .map(({ stepId }) => `flow ${name}, step ${String(stepId)}`),
  );

  async function go(services: readonly LiveService[]) {
    const tried = new Set<string>();
    const onRequest = (_: unknown, what: string) => void tried.add(what);
    const { findings, notes } = await verify(services, { write: flows(), operations: [], onRequest });
    return { findings, notes, missed: steps.filter((step) => !tried.has(step)) };
  }

  it("on the local server", async () => {
    expect(await go(servicesOf(server))).toEqual({ findings: [], notes: [], missed: [] });
  });

  it("on the mock", async () => {
    await using mock = await startMock({ port: 0 });
    const services = liveServices((name) => mock.connect(name), "a-key-for-the-mock");
    expect(await go(services)).toEqual({ findings: [], notes: [], missed: [] });
  });
});

const isShort = ({ write, operation }: Mutant) => !write && cheap.has(operation);
const short = mutants.filter(isShort).filter((_, index) => index % 4 === 0);

describe("divergences are found (some; all by pnpm exec vitest run --project verify)", () => {
  it.each(short)("$service $operation: $title", async (mutant) => {
    const { findings } = await look(server, mutant, { write: undefined, operations: [mutant.operation] });
    if (!finds(mutant, findings)) expect(findings).toContainEqual(mutant.title);
    for (const { place } of findings) expect(place.line).toBeGreaterThan(0);
  });
});

describe("what is wrong with pages is found without writing", { tags: ["long"] }, () => {
  // No other list has the ids of models and jobs, so the report says that they need --set.
  const set = { model_id: crypto.randomUUID(), training_job_id: crypto.randomUUID() };
  it.each([
    ["an example has", {}],
    ["--set has", set],
  ])("by an id that %s", async (_, given) => {
    const on = given === set ? await trueServer(set.model_id, set.training_job_id) : server;
    for (const mutant of pages) {
      const { findings } = await look(on, mutant, { write: undefined, operations: [mutant.operation], set: given });
      expect({ title: mutant.title, found: finds(mutant, findings) }).toEqual({ title: mutant.title, found: true });
    }
    if (on !== server) await on.close();
  });
});

describe("what was never seen is listed", () => {
  let other: LocalServer;
  beforeAll(async () => {
    other = await trueServer(crypto.randomUUID(), crypto.randomUUID());
  });
  afterAll(() => other.close());

  const ofIds = ["models.checkpoints.list", "trainingJobs.get", "trainingJobs.events.list", "models.delete"];

  it.each([
    ["a read without an id", {}, "models.checkpoints.list", "200", "needs --set model_id"],
    ["a read of a job", {}, "trainingJobs.get", "200", "needs --set training_job_id"],
    ["a write", {}, "models.delete", "200", "needs --write"],
    ["a write that is not tried", { read: true }, "models.delete", "401", "not with --read"],
    ["an error of the service", {}, "models.delete", "429", "cannot be provoked"],
    ["what came too late", { budget: 2 }, "trainingJobs.get", "401", "the budget is spent"],
  ] as const)("as %s", async (_, options, operation, status, why) => {
    const { coverage } = await look(other, undefined, { write: undefined, operations: ofIds, ...options });
    expect(coverage).toContainEqual({ service: "training", operation, status, seen: 0, why });
  });

  it("and what was seen is not", async () => {
    const { coverage } = await look(server, undefined, { write: undefined, operations: ["health.check"] });
    const unseen = coverage.filter(({ why }) => why !== undefined).map(({ status, why }) => `${status}: ${why}`);
    // A service may refuse a request without a key, and this one does not.
    const provoked = ["429", "500", "503"].map((status) => `${status}: cannot be provoked`);
    expect(unseen).toEqual(["401: the service did not return it", ...provoked]);
  });
});

it("trains a local server on rewards, and says why another job failed", { tags: ["long"] }, async () => {
  const own = createServer({ keys: [{ key, entity: "harbor" }] });
  try {
    const write = flows().filter(({ name }) => name === "training");
    const { findings, notes } = await look(own, undefined, { write, operations: [] });
    expect(findings).toEqual([]);
    // No conversations were imported, so the second workflow ends early.
    expect(notes).toEqual([expect.stringMatching(/stopped at step wait: .*conversations:v3 does not exist/)]);
  } finally {
    await own.close();
  }
});

it("requests an aggregation that the document declares and the server lacks", async () => {
  const services = servicesOf(server).map((service) => {
    if (service.name !== "auxiliary") return service;
    const text = JSON.stringify(service.document.root).replace('"enum":["sum",', '"enum":["sum","median",');
    return { ...service, document: readDocument(JSON.parse(text)) };
  });
  const { findings } = await verify(services, { operations: ["feedback.stats"] });
  const pointer = "#/components/schemas/Metric/properties/aggregations/items";
  const says = "The service supports each aggregation that the document lists.";
  expect(findings).toMatchObject([{ says, place: { pointer }, seen: expect.stringContaining("status 422") }]);
});

it("names a rule that a document does not have, and goes on checking one that was reworded", async () => {
  const mutant = raw("inference models.list", "a negative creation time", /./, (answer) => {
    answer.text = answer.text.replaceAll(/"created":\d+/g, '"created":-1');
  });
  const services = servicesOf(server).map((service) => {
    if (service.name !== "inference" || service.fetch === undefined) return service;
    const text = JSON.stringify(service.document.root)
      .replaceAll(/"id":"models-listed"/g, '"id":"models-told"')
      .replaceAll("in Unix time (seconds)", "in seconds since 1970");
    return {
      ...service,
      document: readDocument(JSON.parse(text)),
      fetch: proxy({ ...service, fetch: service.fetch }, mutant),
    };
  });
  const { findings, rules } = await verify(services, { operations: ["models.list"] });
  expect(findings).toMatchObject([{ says: expect.stringContaining("in seconds since 1970") }]);
  const listed = rules.unchecked.filter(({ service, id }) => service === "inference" && id.startsWith("models-"));
  expect(listed).toEqual([
    { service: "inference", id: "models-told", why: "there is no check for it" },
    { service: "inference", id: "models-listed", why: "the document has no such rule" },
  ]);
});

it("reports no key, and no sensitive value", async () => {
  const title = "an error repeats the key, and a secret has another type";
  const mutant = raw("inference chat.completions.create any", title, /./, (answer, { headers }) => {
    answer.text = answer.text.replace(/"content":"[^"]*"/, '"content":{"secret":"words of a person"}');
    if (answer.status >= 400) answer.text = JSON.stringify({ oops: headers.get("authorization") });
  });
  // The first calls show both.
  const { findings } = await look(server, mutant, { write: undefined, operations: [mutant.operation], budget: 12 });
  expect(findings.length).toBeGreaterThan(1);
  expect(JSON.stringify(findings)).not.toMatch(/key-of-harbor|words of a person/);
});

it("deletes what it created if it is interrupted, and never exceeds its budget", async () => {
  const ending = new AbortController();
  let sent = 0;
  const { left, notes } = await look(server, undefined, {
    signal: ending.signal,
    operations: [],
    onRequest: (_, tried) => {
      sent++;
      if (tried === "flow logging, step log") ending.abort();
    },
  });
  expect(left).toEqual([]);
  expect(notes).toContain("The run was interrupted, so not everything was checked.");
  expect(sent).toBeGreaterThan(5);
  const few = await look(server, undefined, { budget: 40 });
  expect(few.calls).toBeLessThanOrEqual(40);
  expect(few.notes.join()).toContain("budget of 40 calls");
});
