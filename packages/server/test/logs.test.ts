import { isLogResult } from "@trainyard/training";
import { anyString } from "@trainyard/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { send, sharedServer } from "./lib.ts";

// A log gets the same response with an Idempotency-Key and without one. For large ones see large-bodies.test.ts.

const server = sharedServer({ limits: { bodyDepth: 12 } });
const entity = server.fresh();
const model = { project: "demo", name: "agent-1", base_model: "demo/tiny" };
let keys = 0;

async function newModel(): Promise<string> {
  return (await server.clients(entity).training.models.create({ ...model, name: `agent-${++keys}` })).id;
}

/** The responses to one body, without and with a key, each for its own model. */
async function answers(body: string | Uint8Array<ArrayBuffer>, modelId?: string): Promise<unknown[]> {
  const ways: Record<string, string>[] = [{}, { "Idempotency-Key": `key-${++keys}` }];
  return Promise.all(
    ways.map(async (headers) => {
      const id = modelId ?? (await newModel());
      const size = String(typeof body === "string" ? Buffer.byteLength(body) : body.byteLength);
      const sent = { method: "POST", body, headers: { "Content-Length": size, ...headers } };
      const response = await send(server.connect("training", entity), `/v1/preview/models/${id}/log`, sent);
      const list =
        modelId === undefined ? await server.clients(entity).training.models.checkpoints.list(id) : undefined;
      return [response.status, await response.json(), list?.data.map(({ metrics }) => metrics)];
    }),
  );
}

const metrics = fc.dictionary(anyString(), fc.oneof(fc.double({ noNaN: true }), fc.boolean()));
const trajectory = fc.record({
  messages_and_choices: fc.constant([{ role: "user", content: "Is the train late?" }]),
  reward: fc.double({ noNaN: true, noDefaultInfinity: true }),
  metrics,
});
const group = fc.record({ trajectories: fc.array(trajectory, { maxLength: 3 }), metrics });
const log = fc.record({ split: fc.string({ minLength: 1 }), trajectory_groups: fc.array(group, { maxLength: 3 }) });

it("returns the same for valid requests, with an Idempotency-Key and without", { tags: ["long"] }, async () => {
  await fc.assert(
    fc.asyncProperty(log, async (body) => {
      const [plain, keyed] = await answers(JSON.stringify(body));
      expect(plain).toEqual(keyed);
    }),
    { numRuns: 40 },
  );
});

it.each([
  ["invalid JSON", '{"split": "train",', 422],
  ["invalid UTF-8", new Uint8Array([0x22, 0xff, 0x22]), 422],
  ["a body that is too deep", `{"split":"train","trajectory_groups":${"[".repeat(20)}${"]".repeat(20)}}`, 413],
  ["a missing field", '{"split":"train"}', 422],
  ["several wrong types", '{"split":7,"trajectory_groups":[{"trajectories":[{"reward":"high"}]}]}', 422],
  ["an empty body", "", 422],
] as const)("rejects %s with the same message", async (_, body, status) => {
  const [plain, keyed] = await answers(body);
  expect(plain).toEqual(keyed);
  expect(plain).toEqual([status, expect.anything(), [{}]]);
});

it.each(["agent-1", "00000000-0000-4000-8000-000000000000"])("returns 404 for the model %s", async (id) => {
  const [plain, keyed] = await answers('{"split":"train","trajectory_groups":[]}', id);
  expect(plain).toEqual(keyed);
  expect(plain).toEqual([404, expect.anything(), undefined]);
});

it("stores a log without its byte order mark, so that everything that reads it answers", async () => {
  const id = await newModel();
  const body = new TextEncoder().encode(`\ufeff${JSON.stringify({ split: "s", trajectory_groups: [] })}`);
  const sent = { method: "POST", body, headers: { "Content-Length": String(body.byteLength) } };
  const response = await send(server.connect("training", entity), `/v1/preview/models/${id}/log`, sent);
  expect(response.status).toBe(200);
  const logs = await send(server.connect("local"), `/logs?model_id=${id}`, {});
  expect([logs.status, await logs.json()]).toMatchObject([200, { data: [{ body: { split: "s" } }] }]);
});

it("averages at most 2,000 names of a split, and lists the first 20 others", async () => {
  const id = await newModel();
  const { models } = server.clients(entity).training;
  const logOf = async (from: number, count: number) => {
    const names = Array.from({ length: count }, (_, index) => [`m${from + index}`, 1] as const);
    const trajectory = { messages_and_choices: [], reward: 1, metrics: Object.fromEntries(names) };
    const result = await models.log(id, { split: "s", trajectory_groups: [{ trajectories: [trajectory] }] });
    return isLogResult(result) ? result : expect.fail("It is no result of a log.");
  };
  const first = await logOf(0, 100_000);
  expect(Object.keys(first.metrics)).toHaveLength(2000);
  expect(first.metrics).toMatchObject({ "s/reward": 1, "s/m0": 1 });
  expect(first.ignored_metrics).toHaveLength(20);
  const second = await logOf(200_000, 5);
  expect(second.ignored_metrics).toEqual([0, 1, 2, 3, 4].map((index) => `m${200_000 + index}`));
  const { data } = await models.checkpoints.list(id);
  expect(Object.keys(data[0]?.metrics ?? {})).toHaveLength(2000);
});
