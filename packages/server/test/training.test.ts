import { expect, it } from "vitest";
import { sharedServer } from "./lib.ts";

const server = sharedServer();
const isStatus = (status: number, body?: object) =>
  expect.objectContaining({ status, ...(body && { body: expect.objectContaining(body) }) });
const model = { project: "demo", name: "agent-1", base_model: "demo/tiny" };
const unknownId = "00000000-0000-4000-8000-000000000000";

it("keeps names unique within entity and project", async () => {
  const { training } = server.clients(server.fresh());
  const first = await training.models.create(model);
  await expect(training.models.create(model)).rejects.toEqual(isStatus(409));
  expect(await training.models.create({ ...model, return_existing: true, entity: null })).toEqual(first);
  expect((await training.models.create({ ...model, project: "other" })).id).not.toBe(first.id);
  expect((await server.clients(server.fresh()).training.models.create(model)).id).not.toBe(first.id);
  expect(first).toMatchObject({ run_id: null, base_model: "demo/tiny" });
});

it("rejects another entity, and accepts the caller's own", async () => {
  const entity = server.fresh();
  const { training } = server.clients(entity);
  await expect(training.models.create({ ...model, entity: "team-0" })).rejects.toEqual(isStatus(403));
  expect((await training.models.create({ ...model, entity })).entity).toBe(entity);
});

it("hides the data of other entities", async () => {
  const owner = server.clients(server.fresh()).training;
  const { training } = server.clients(server.fresh());
  const { id } = await owner.models.create(model);
  const job = await owner.trainingJobs.createRl({ model_id: id, trajectory_groups: [] });
  const attempts = [
    () => training.models.delete(id),
    () => training.models.checkpoints.list(id),
    () => training.models.checkpoints.delete(id, { steps: [] }),
    () => training.models.log(id, { split: "a", trajectory_groups: [] }),
    () => training.trainingJobs.createRl({ model_id: id, trajectory_groups: [] }),
    () => training.trainingJobs.createSft({ model_id: id, training_data_url: "artifact:///a/b/c:d" }),
    () => training.trainingJobs.get(job.id),
    () => training.trainingJobs.events.list(job.id),
  ];
  for (const attempt of attempts) {
    const foreign: unknown = await Promise.resolve(attempt()).catch((error: unknown) => error);
    expect(foreign).toEqual(isStatus(404, { detail: expect.stringMatching(/^(Model|Training job) .* not found\.$/) }));
  }
  expect((await owner.models.checkpoints.list(id)).data).toHaveLength(1);
});

it("returns 404 for an invalid UUID in a path, and 422 for one in a body", async () => {
  const { training } = server.clients(server.fresh());
  await expect(training.models.delete("agent-1")).rejects.toEqual(isStatus(404));
  await expect(training.trainingJobs.get("agent-1")).rejects.toEqual(isStatus(404));
  await expect(training.trainingJobs.createRl({ model_id: "agent-1", trajectory_groups: [] })).rejects.toMatchObject({
    status: 422,
    body: { detail: [{ loc: ["body", "model_id"], type: "uuid_parsing" }] },
  });
  await expect(training.models.log(unknownId, { split: "a", trajectory_groups: [] })).rejects.toEqual(isStatus(404));
});

it("calculates the metrics of a log, and stores them with the newest checkpoint", async () => {
  const { training } = server.clients(server.fresh());
  const { id } = await training.models.create(model);
  const error = { type: "ValueError", message: "no", traceback: "" };
  const answer = await training.models.log(id, {
    split: "val",
    trajectory_groups: [
      {
        trajectories: [
          { reward: 1, metrics: { turns: 2, solved: true } },
          { reward: 0, metrics: { turns: 4 } },
        ],
        metrics: { pass: true },
        exceptions: [error],
      },
      { trajectories: [{ reward: 0.5, metrics: { solved: false } }], metrics: { pass: false, extra: 3 } },
      { trajectories: [] },
    ],
  });
  expect(answer).toEqual({
    step: 0,
    metrics: {
      "val/turns": 3,
      "val/solved": 0.5,
      "val/group_pass": 0.5,
      "val/group_extra": 3,
      "val/reward": 0.5,
      "val/exception_rate": 0.25,
      "val/reward_std_dev": 0.5,
    },
  });
  await training.models.log(id, { split: "val", trajectory_groups: [{ trajectories: [{ reward: 9 }] }] });
  await training.models.log(id, { split: "train", trajectory_groups: [] });
  const [checkpoint] = (await training.models.checkpoints.list(id)).data;
  expect(checkpoint?.metrics).toMatchObject({ "val/turns": 3, "val/reward": 9, "val/reward_std_dev": 0 });
  expect(Object.keys(checkpoint?.metrics ?? {}).some((name) => name.startsWith("train/"))).toBe(false);
});

it("never returns a number that JSON cannot represent", async () => {
  const { training } = server.clients(server.fresh());
  const { id } = await training.models.create(model);
  const big = Number.MAX_VALUE;
  const answer = await training.models.log(id, {
    split: "s",
    trajectory_groups: [
      {
        trajectories: [
          { reward: big, metrics: { m: big } },
          { reward: -big, metrics: { m: big } },
        ],
      },
    ],
  });
  expect(JSON.stringify(answer)).not.toContain("null");
  const only = await training.models.log(id, {
    split: "s",
    trajectory_groups: [{ trajectories: [], exceptions: [{ type: "a", message: "b", traceback: "c" }] }],
  });
  expect(only).toEqual({ step: 0, metrics: { "s/exception_rate": 1 } });
});

it.each(["reward", "reward_std_dev", "exception_rate"])(
  "does not average a metric called %s, and says so",
  async (name) => {
    const { training } = server.clients(server.fresh());
    const { id } = await training.models.create(model);
    const groups = [{ trajectories: [{}, { metrics: { [name]: 7, words: 12 } }] }];
    expect(await training.models.log(id, { split: "s", trajectory_groups: groups })).toEqual({
      step: 0,
      metrics: { "s/reward": 0, "s/reward_std_dev": 0, "s/exception_rate": 0, "s/words": 12 },
      ignored_metrics: [name],
    });
  },
);

it("averages a metric called group_a, unless groups of the request have a metric a", async () => {
  const { training } = server.clients(server.fresh());
  const { id } = await training.models.create(model);
  const trajectories = [{ metrics: { group_a: 3 } }];
  const log = (group: object) =>
    training.models.log(id, { split: "s", trajectory_groups: [{ trajectories, ...group }] });
  const alone = await log({});
  expect(alone).toMatchObject({ metrics: { "s/group_a": 3 } });
  expect(alone).not.toHaveProperty("ignored_metrics");
  expect(await log({ metrics: { a: 1 } })).toMatchObject({ metrics: { "s/group_a": 1 }, ignored_metrics: ["group_a"] });
});

it("lists the base models even without a key, and names them in the error for an unknown base model", async () => {
  const { training } = server.clients(server.fresh());
  expect(await training.models.listBase()).toEqual(["demo/tiny"]);
  const { fetch, baseUrl } = server.connect("training");
  expect(await (await fetch(`${baseUrl}/v1/preview/base-models`)).json()).toEqual(["demo/tiny"]);
  await expect(training.models.create({ ...model, base_model: "acme/large" })).rejects.toMatchObject({
    status: 422,
    body: { detail: [{ loc: ["body", "base_model"], msg: expect.stringContaining("There are: demo/tiny.") }] },
  });
});

it.each(["", "a/b", "a:b", "a\u0007", "x".repeat(129)])(
  "rejects the name %j for a model or its project",
  async (name) => {
    const { training } = server.clients(server.fresh());
    for (const field of ["name", "project"]) {
      await expect(training.models.create({ ...model, [field]: name })).rejects.toMatchObject({
        status: 422,
        body: { detail: [{ loc: ["body", field] }] },
      });
    }
  },
);

it.each([
  ["..", "The name .. is a path and no name."],
  ["a\u202Eb", "The name a\\u202eb contains the invisible character U+202E."],
  ["cafe\u0301", "must be in the Unicode form NFC, in which a name can be written in one way only: caf\u00E9."],
])("rejects the name %j, which looks like a path or like another name", async (name, message) => {
  const { training } = server.clients(server.fresh());
  await expect(training.models.create({ ...model, name })).rejects.toMatchObject({
    status: 422,
    body: { detail: [{ msg: expect.stringContaining(message) }] },
  });
});

it("performs requests with the same Idempotency-Key once a day", async () => {
  const { training } = server.clients(server.fresh());
  const start = new Date("2026-11-04T08:00:00Z");
  server.setClock(start);
  const idempotencyKey = "try-1";
  const first = await training.models.create(model, { idempotencyKey });
  expect(await training.models.create(model, { idempotencyKey })).toEqual(first);
  server.setClock(new Date(start.getTime() + 25 * 3_600_000));
  await expect(training.models.create({ ...model, name: "c" }, { idempotencyKey })).resolves.toMatchObject({
    name: "c",
  });
  server.setClock(undefined);
});

it("joins equal fine-tuning jobs, and takes a key for one of them", async () => {
  const { training } = server.clients(server.fresh());
  const { id: model_id } = await training.models.create(model);
  const job = { model_id, training_data_url: "artifact:///team/demo/words:v1" };
  const idempotencyKey = "sft";
  const first = await training.trainingJobs.createSft(job, { idempotencyKey });
  expect(await training.trainingJobs.createSft(job, { idempotencyKey })).toEqual(first);
  expect((await training.trainingJobs.createSft(job)).id).toBe(first.id);
  const other = { ...job, training_data_url: "artifact:///team/demo/words:v2" };
  await expect(training.trainingJobs.createSft(other, { idempotencyKey })).rejects.toEqual(isStatus(409));
  expect((await training.trainingJobs.createSft(other)).id).not.toBe(first.id);
});

it("rejects the second of two simultaneous requests with one Idempotency-Key", async () => {
  const { training } = server.clients(server.fresh());
  const create = () => training.models.create(model, { idempotencyKey: "twice" }).withResponse();
  const [first, second] = await Promise.allSettled([create(), create()]);
  const answered = first.status === "fulfilled" ? first.value.data : undefined;
  expect(answered).toMatchObject({ name: "agent-1" });
  expect(second).toMatchObject({ status: "rejected", reason: { status: 409 } });
  const { reason } = second as PromiseRejectedResult;
  expect(reason.headers.get("retry-after")).toBe("1");
  expect((await create()).data).toEqual(answered);
});

it("returns health without a key", async () => {
  const { baseUrl, fetch } = server.connect("training");
  expect(await (await fetch(`${baseUrl}/v1/health`)).json()).toEqual({ status: "ok" });
  expect(await (await fetch(`${baseUrl}/v1/system-check`)).json()).toMatchObject({
    api: true,
    database: { success: true, error: null },
  });
});
