import { expect, it } from "vitest";
import { ConfigurationError, createTrainingClient, NotFoundError, UnprocessableError } from "../index.ts";
import { ended, failed, jobId, jobService, modelId, soon, started, stopClock } from "../../test/job-service.ts";

const old = { id: "c0", step: 0, metrics: {} };
const made = { id: "c1", step: 1, metrics: { "train/reward": 0.5 } };
const newer = { id: "c2", step: 2, metrics: {} };
const body = { model_id: modelId, trajectory_groups: [] };

it("returns the newest checkpoint of the model when the job has ended", async () => {
  stopClock();
  const service = jobService([[], [started], [started, ended()]]);
  service.checkpoints = [old, made];
  const job = await service.client.trainingJobs.createRl(body);
  expect(await soon(service.client.trainingJobs.wait(job.id))).toEqual(made);
  expect(service.requests.at(-1)?.path).toBe(`/v1/preview/models/${modelId}/checkpoints`);
});

it("returns the checkpoint that the event names, even if another is newer", async () => {
  stopClock();
  const service = jobService([[started, ended({ checkpoint_id: "c1" })]], 1);
  service.checkpoints = [old, made, newer];
  expect(await soon(service.client.trainingJobs.wait(jobId, { modelId }))).toEqual(made);
});

it("fails if the checkpoint that the event names was deleted", async () => {
  stopClock();
  const service = jobService([[started, ended({ checkpoint_id: "c1" })]]);
  service.checkpoints = [old, newer];
  const result = await soon(service.client.trainingJobs.wait(jobId, { modelId }));
  expect(Object(result).rejected).toMatchObject({
    message: `The checkpoint of the training job ${jobId} was deleted.`,
  });
});

it("throws TrainingFailedError", async () => {
  stopClock();
  const { client } = jobService([[started, failed]]);
  expect(Object(await soon(client.trainingJobs.wait(jobId, { modelId }))).rejected).toMatchObject({
    name: "TrainingFailedError",
    jobId,
    operation: "trainingJobs.wait",
    attempts: 1,
  });
});

it("knows the model of each job that its client created, by any method", async () => {
  stopClock();
  for (const create of [
    (service: ReturnType<typeof jobService>) => service.client.trainingJobs.createRl(body),
    (service: ReturnType<typeof jobService>) =>
      service.client.trainingJobs.createSft({ model_id: modelId, training_data_url: "https://data.test/file" }),
    async (service: ReturnType<typeof jobService>) =>
      (await service.client.trainingJobs.createRl(body).withResponse()).data,
  ]) {
    const service = jobService([[started, ended()]]);
    service.checkpoints = [old, made];
    const job = await create(service);
    expect(await soon(service.client.trainingJobs.wait(job.id))).toEqual(made);
  }
});

it("requires the model of a job that another client created, and sends nothing", async () => {
  const { client, requests } = jobService([[started, ended()]]);
  await expect(client.trainingJobs.wait(jobId)).rejects.toBeInstanceOf(ConfigurationError);
  await expect(client.trainingJobs.wait(jobId)).rejects.toThrow("needs modelId");
  expect(requests).toEqual([]);
});

it("rejects a failed creation once, for its caller", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", note);
  const { client } = jobService([]);
  const { createRl } = client.trainingJobs;
  const options = { middleware: [async () => Response.json({ detail: "No." }, { status: 404 })] };
  await expect(createRl(body, options)).rejects.toBeInstanceOf(NotFoundError);
  await expect(createRl(body, options).withResponse()).rejects.toBeInstanceOf(NotFoundError);
  await new Promise((done) => setImmediate(done));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

it.each([
  ["createRl", undefined, 1],
  ["createRl", "once", 2],
  ["createSft", undefined, 1],
  ["createSft", "once", 2],
] as const)(
  "makes no second job if the connection of %s breaks: with the key %s, %i requests",
  async (name, key, sent) => {
    let requests = 0;
    const fetch = async (): Promise<Response> => {
      if (++requests > 1) return Response.json({ id: "j" });
      throw new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) });
    };
    const { trainingJobs } = createTrainingClient({ baseUrl: "http://127.0.0.1", apiKey: "k", fetch });
    const body = { model_id: modelId, training_data_url: "https://data.test/file", trajectory_groups: [] };
    const options = key === undefined ? {} : { idempotencyKey: key };
    const outcome: unknown = await trainingJobs[name](body, options).catch((error: unknown) => error);
    expect(outcome).toMatchObject(key === undefined ? { outcomeUnknown: true } : { id: "j" });
    expect(requests).toBe(sent);
  },
);

it("leaves the validation of an invalid body to the service, and does not throw synchronously", async () => {
  const answer = (): Promise<Response> => Promise.resolve(Response.json({ detail: "no body" }, { status: 422 }));
  const { trainingJobs } = createTrainingClient({ baseUrl: "http://127.0.0.1", apiKey: "k", fetch: answer });
  for (const create of [trainingJobs.createRl, trainingJobs.createSft])
    for (const none of [undefined, null])
      // @ts-expect-error no body
      await expect(create(none)).rejects.toBeInstanceOf(UnprocessableError);
});
