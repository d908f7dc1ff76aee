import { existsSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { afterAll, expect, it } from "vitest";
import { listening, makeServer, sharedServer, until } from "./lib.ts";
import { ended, eventsOf, groupsOf, newModel, trainer } from "./trainers.ts";

const web = createHttpServer((request, response) => {
  if (request.url === "/moved") response.writeHead(302, { Location: "/data.jsonl" }).end();
  else response.end('{"messages":[{"role":"user","content":"a"}]}\n{"messages":[]}\n');
});
afterAll(() => web.close());
const host = `127.0.0.1:${await listening(web)}`;

const server = sharedServer({ trainer, dataHosts: [host] });

const groups = (mode: string) => groupsOf({ mode });

it("runs an RL job, event by event, to one new checkpoint", async () => {
  const { training } = server.clients(server.fresh());
  const model = await newModel(training);
  const job = await training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: groups("good") });
  expect(job).toMatchObject({ status: "queued", training_start: null, training_end: null, error_message: null });
  const done = await ended(training, job.id);
  expect(done).toMatchObject({ status: "completed", error_message: null });
  const events = await eventsOf(training, job.id);
  expect(events.map(({ type }) => type)).toEqual([
    "training_started",
    "gradient_step",
    "gradient_step",
    "gradient_step",
    "training_ended",
  ]);
  expect(new Set(events.map(({ id }) => id)).size).toBe(5);
  const { data } = await training.models.checkpoints.list(model.id, { order: "desc" });
  expect(data.map(({ step }) => step)).toEqual([1, 0]);
  const list = await server.clients(model.entity).inference.models.list();
  expect(list.data.map(({ id }) => id)).toContain(`artifact:///${model.entity}/${model.project}/${model.name}`);
});

it("reports the checkpoint of a job, so that waiting for the job returns exactly that one", async () => {
  const { training } = server.clients(server.fresh());
  const model = await newModel(training);
  const create = () => training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: groups("good") });
  const [first, second] = [await create(), await create()];
  await ended(training, second.id);
  expect(await training.trainingJobs.wait(first.id)).toMatchObject({ step: 1 });
  expect(await training.trainingJobs.wait(second.id)).toMatchObject({ step: 2 });
});

it("starts each job from the checkpoint of the previous one, in order of creation", { tags: ["long"] }, async () => {
  const { training } = server.clients(server.fresh());
  const model = await newModel(training);
  const create = () => training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: groups("good") });
  const jobs = [await create(), await create(), await create()];
  for (const [index, { id }] of jobs.entries()) {
    await ended(training, id);
    const last = (await eventsOf(training, id)).at(-1);
    const before = ["none", "none+rl1", "none+rl1+rl2"][index];
    expect(last).toMatchObject({ type: "training_ended", data: { checkpoint: before } });
  }
  // The files of a step are deleted with it. The third job read those of the second step.
  const third = (await eventsOf(training, jobs[2]?.id ?? "")).at(-1);
  const folder = third?.type === "training_ended" ? String(third.data["from"]) : "";
  expect(existsSync(folder)).toBe(true);
  await training.models.checkpoints.delete(model.id, { steps: [2] });
  await until(async () => !existsSync(folder));
  // A step number is never reused.
  const next = await create();
  await ended(training, next.id);
  const { data } = await training.models.checkpoints.list(model.id);
  expect(data.map(({ step }) => step)).toEqual([0, 1, 3, 4]);
});

it("fails a job without groups, and any job without a trainer, and says how to fix it", async () => {
  const { training } = server.clients(server.fresh());
  const job = await training.trainingJobs.createRl({ model_id: (await newModel(training)).id, trajectory_groups: [] });
  expect((await ended(training, job.id)).error_message).toMatch(/no trajectory groups/);

  const bare = makeServer();
  const client = bare.clients().training;
  const other = await client.trainingJobs.createRl({
    model_id: (await newModel(client)).id,
    trajectory_groups: groups("good"),
  });
  expect((await ended(client, other.id)).error_message).toMatch(/has no trainer.*--trainer/);
  await bare.end();
});

it("ends a running job of a deleted model, and keeps the job readable", async () => {
  const { training } = server.clients(server.fresh());
  const model = await newModel(training);
  const running = await training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: groups("work") });
  const queued = await training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: groups("good") });
  await until(async () => (await eventsOf(training, running.id)).length > 4);
  expect(await training.models.delete(model.id)).toEqual({
    model_id: model.id,
    deleted_checkpoints: 1,
    deleted_run: false,
  });
  for (const { id } of [running, queued]) {
    expect(await training.trainingJobs.get(id)).toMatchObject({
      status: "failed",
      error_message: "The model was deleted.",
    });
    expect((await eventsOf(training, id)).at(-1)?.type).toBe("training_failed");
  }
});

it("fine-tunes on an artifact, once for the same data", async () => {
  const entity = server.fresh();
  const { training } = server.clients(entity);
  const url = `artifact:///${entity}/demo/qa:v1`;
  await server.import("artifacts", [{ messages: [{ role: "user", content: "a" }] }, { messages: [] }], { as: url });
  const model = await newModel(training);
  const body = { model_id: model.id, training_data_url: url, config: { batch_size: "auto" as const } };
  const job = await training.trainingJobs.createSft(body);
  expect((await training.trainingJobs.createSft(body)).id).toBe(job.id);
  expect(await ended(training, job.id)).toMatchObject({ status: "completed" });
  expect((await eventsOf(training, job.id))[0]).toMatchObject({ data: { num_sequences: 2 } });
  expect((await training.trainingJobs.createSft(body)).id).toBe(job.id);
});

it("fails on unknown data and data of others, and then accepts the same request as a new job", async () => {
  const { training } = server.clients(server.fresh());
  await server.import("artifacts", [{ messages: [] }], { as: "artifact:///team-0/demo/secret:v1" });
  const model = await newModel(training);
  const body = { model_id: model.id, training_data_url: "artifact:///team-0/demo/secret:v1" };
  const job = await training.trainingJobs.createSft(body);
  expect((await ended(training, job.id)).error_message).toMatch(
    /The artifact artifact:.*does not exist.*trainyard import artifacts/,
  );
  expect((await training.trainingJobs.createSft(body)).id).not.toBe(job.id);
});

it("downloads only from allowed hosts, and follows no redirect", async () => {
  const { training } = server.clients(server.fresh());
  const model = await newModel(training);
  const create = (url: string) => training.trainingJobs.createSft({ model_id: model.id, training_data_url: url });
  const job = await create(`http://${host}/data.jsonl`);
  expect((await ended(training, job.id)).status).toBe("completed");
  expect((await ended(training, (await create(`http://${host}/moved`)).id)).status).toBe("failed");
});

it.each([
  "http://127.0.0.1:1/data.jsonl",
  "ftp://a/b",
  "file:///etc/hosts",
  "artifact:///a/b/c",
  "artifact://a/b/c:v1",
  "data",
])("rejects data from %s", async (url) => {
  const { training } = server.clients(server.fresh());
  const model = await newModel(training);
  await expect(training.trainingJobs.createSft({ model_id: model.id, training_data_url: url })).rejects.toMatchObject({
    status: 422,
    body: { detail: [{ loc: ["body", "training_data_url"], type: "value_error" }] },
  });
});
