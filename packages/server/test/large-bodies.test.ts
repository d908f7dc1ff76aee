/** @module-tag long */
import { expect, it } from "vitest";
import type { ServiceName } from "../src/http/service-types.ts";
import { send, sharedServer } from "./lib.ts";

// Bodies over 256 KiB are parsed and validated in another thread. The results must be the same, and other requests must not
// wait.

const server = sharedServer({ limits: { bodyDepth: 12 } });
const entity = server.fresh();
const { training } = server.clients(entity);
const model = await training.models.create({ project: "demo", name: "large", base_model: "demo/tiny" });
const log = `/v1/preview/models/${model.id}/log`;
const many = <T>(item: T, length: number): T[] => Array.from({ length }, () => item);
const message = { role: "user", content: "Is the train late?" };
const trajectory = { messages_and_choices: [message], reward: 0.5, metrics: { length: 3, good: true } };
const group = (length: number) => ({ trajectories: many(trajectory, length), metrics: { spread: 0.25 } });

async function answer(service: ServiceName, path: string, body: string, headers: Record<string, string> = {}) {
  const size = { "Content-Length": String(Buffer.byteLength(body)) };
  const response = await send(server.connect(service, entity), path, { body, headers: { ...size, ...headers } });
  return [response.status, await response.json()];
}

const chat = { model: "demo/tiny", messages: many(message, 30), seed: 7, max_tokens: 5 };
const window = { project_id: `${entity}/demo`, start: "2026-01-01T00:00:00Z", end: "2026-01-02T00:00:00Z" };
const unknown = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";

it.each<[string, ServiceName, string, string]>([
  ["a log", "training", log, JSON.stringify({ split: "val", trajectory_groups: many(group(3), 2) })],
  ["a log of nothing", "training", log, '{"split":"val","trajectory_groups":[]}'],
  [
    "a reserved metric",
    "training",
    log,
    '{"split":"a","trajectory_groups":[{"trajectories":[{"metrics":{"reward":1}}]}]}',
  ],
  ["a wrong log", "training", log, JSON.stringify({ split: 7, trajectory_groups: many({ trajectories: [5] }, 200) })],
  ["a log that is no JSON", "training", log, '{"split": train}'],
  ["a log that is too deep", "training", log, `{"split":"a","trajectory_groups":${"[".repeat(20)}${"]".repeat(20)}}`],
  ["a log without a model", "training", log.replace(model.id, unknown), '{"split":"val","trajectory_groups":[]}'],
  ["a log of no model's id", "training", log.replace(model.id, "x"), '{"split":"val"}'],
  [
    "a job without a model",
    "training",
    "/v1/preview/training-jobs",
    `{"model_id":"${unknown}","trajectory_groups":[]}`,
  ],
  ["a wrong chat", "inference", "/chat/completions", JSON.stringify({ ...chat, messages: many(0, 200) })],
  [
    "a chat with a model that is not there",
    "inference",
    "/chat/completions",
    JSON.stringify({ ...chat, model: "no/such" }),
  ],
  ["statistics", "auxiliary", "/feedback/stats", JSON.stringify({ ...window, metrics: [{ json_path: "score" }] })],
  ["wrong statistics", "auxiliary", "/feedback/stats", JSON.stringify({ ...window, metrics: [{ json_path: "" }] })],
])("returns the same for %s, however large it is", async (_, service, path, body) => {
  const small = await answer(service, path, body);
  expect(await answer(service, path, body.padEnd(2 ** 20 + 1))).toEqual(small);
  expect(await answer(service, path, body.replace("{", `{${" ".repeat(2 ** 20)}`))).toEqual(await moved(small));
});

/** Moves the position of a syntax error, as white space at the start of a body does. */
async function moved([status, body]: unknown[]): Promise<unknown[]> {
  return [
    status,
    JSON.parse(JSON.stringify(body).replace(/at character (\d+)/, (_, at) => `at character ${Number(at) + 2 ** 20}`)),
  ];
}

it("passes the whole value to handlers, and stores what was sent", async () => {
  // The tiny model refuses so long a prompt, with the number of tokens that it has counted.
  const messages = many({ role: "user", content: "Is the train late, or is my clock fast?".repeat(2) }, 10_000);
  const [status, { error }] = await answer("inference", "/chat/completions", JSON.stringify({ ...chat, messages }));
  expect([status, error.code]).toEqual([400, "context_length_exceeded"]);
  expect(Number(/at least (\d+) tokens/.exec(error.message)?.[1])).toBeGreaterThanOrEqual(20_000 * 39);
  const body = JSON.stringify({ split: "large", trajectory_groups: many(group(10), 2000) });
  expect(body.length).toBeGreaterThan(2 ** 21);
  expect(await answer("training", log, body)).toMatchObject([
    200,
    { metrics: { "large/length": 3, "large/reward": 0.5 } },
  ]);
  const { data } = await server.control.logs.list({ model_id: model.id });
  expect(data.find(({ split }) => split === "large")?.body).toEqual(JSON.parse(body));
});

it("recognizes a repeated request, whichever thread read it", async () => {
  const body = JSON.stringify({ split: "val", trajectory_groups: [group(2)] });
  const headers = { "Idempotency-Key": "once" };
  const first = await answer("training", log, body.padEnd(2 ** 20 + 1), headers);
  expect(first[0]).toBe(200);
  expect(await answer("training", log, body, headers)).toEqual(first);
  const [status] = await answer("training", log, body.replace("val", "train").padEnd(2 ** 20 + 1), headers);
  expect(status).toBe(409);
});

it.each<[string, ServiceName, string, () => string]>([
  ["a log", "training", log, () => JSON.stringify({ split: "val", trajectory_groups: many(group(10), 6000) })],
  [
    "a chat",
    "inference",
    "/chat/completions",
    () => JSON.stringify({ ...chat, messages: many({ ...message, content: message.content.repeat(40) }, 12_000) }),
  ],
])("answers other requests while it validates %s", async (_, service, path, bodyOf) => {
  const body = bodyOf();
  expect(body.length).toBeGreaterThan(6 * 2 ** 20);
  const state = { done: false, others: 0 };
  const judged = answer(service, path, body).finally(() => (state.done = true));
  while (!state.done) {
    await training.health.check();
    // In one process, these requests alone would never let the event loop handle messages.
    await new Promise((resolve) => setImmediate(resolve));
    state.others++;
  }
  // The prompt of the chat is longer than the tiny model reads.
  expect((await judged)[0]).toBe(service === "training" ? 200 : 400);
  // On one thread it would be a handful: those that arrived before the body.
  expect(state.others).toBeGreaterThan(30);
});

it("refuses a chat whose schemas have too many values, before it reads them", async () => {
  const unions = { anyOf: many({ const: "x" }, 25_000) };
  const properties = Object.fromEntries(
    many(0, 20_000).map((_, at) => [`property${at}`, { type: "string", minLength: 1 }]),
  );
  for (const schema of [unions, { type: "object", properties }]) {
    const format = { type: "json_schema", json_schema: { name: "a", schema } };
    const body = JSON.stringify({ ...chat, response_format: format });
    for (const [service, path] of [
      ["inference", "/chat/completions"],
      ["training", "/v1/chat/completions"],
    ] as const) {
      const [status, error] = await answer(service, path, body);
      expect([status, JSON.stringify(error)]).toEqual([
        413,
        expect.stringMatching(/about \d{5,} values.* at most 50000\./),
      ]);
    }
  }
});
