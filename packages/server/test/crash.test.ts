import { randomUUID } from "node:crypto";
import { createAuxiliaryClient } from "@trainyard/auxiliary";
import type { TrainingClient } from "@trainyard/training";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "./folders.ts";
import { until } from "./lib.ts";
import { startProcess, type OwnProcess } from "./own-process.ts";

// `pnpm exec vitest run --project crash` kills it 50 times; `pnpm test` a few times.
const crashes = Number(process.env["CRASHES"] ?? 1);
/** The longest load before a crash, in milliseconds. A longer load takes longer to verify, because each write is read back. */
const longest = process.env["CRASHES"] === undefined ? 150 : 430;

/** The requests that were sent, and which of them were acknowledged. */
interface Sent {
  /** By the idempotency key of the request. */
  models: Map<string, string | undefined>;
  /** By model and key. */
  logs: Map<string, { model: string; reward: number; acknowledged: boolean }>;
  jobs: Map<string, { model: string; id: string | undefined }>;
  /** Imports of three records each into one project, by key: whether they were acknowledged. */
  imports: Map<string, boolean>;
  project: string;
}

let count = 0;

/** Sends one request after the other until the server is killed. */
async function load({ training, control }: OwnProcess, sent: Sent): Promise<void> {
  for (;;) {
    const key = `k${count++}`;
    const models = [...sent.models.values()].filter((id) => id !== undefined);
    const model = models[count % Math.max(1, Math.min(models.length, 5))];
    try {
      if (model === undefined || count % 7 === 0) {
        sent.models.set(key, undefined);
        sent.models.set(key, (await createModel(training, key)).id);
      } else if (count % 11 === 0) {
        sent.imports.set(key, false);
        await bringIn(control, sent.project, key);
        sent.imports.set(key, true);
      } else if (count % 5 === 0) {
        sent.jobs.set(key, { model, id: undefined });
        sent.jobs.set(key, { model, id: (await createJob(training, model, key)).id });
      } else {
        const log = { model, reward: count, acknowledged: false };
        sent.logs.set(key, log);
        await addLog(training, log, key);
        log.acknowledged = true;
      }
    } catch {
      return;
    }
  }
}

const createModel = (training: TrainingClient, key: string) =>
  training.models.create({ project: "p", name: key, base_model: "demo/tiny" }, { idempotencyKey: key });
const createJob = (training: TrainingClient, model: string, key: string) =>
  training.trainingJobs.createRl(
    { model_id: model, trajectory_groups: [{ trajectories: [{}] }] },
    { idempotencyKey: key },
  );
const addLog = (training: TrainingClient, { model, reward }: { model: string; reward: number }, key: string) =>
  training.models.log(
    model,
    { split: key, trajectory_groups: [{ trajectories: [{ reward }] }] },
    { idempotencyKey: key },
  );

const start = "2026-11-04T00:00:00Z";

async function bringIn({ imports }: OwnProcess["control"], project: string, key: string): Promise<void> {
  const id = randomUUID();
  const kind = "feedback";
  const record = (part: number) => ({
    id: `${key}-${part}`,
    project_id: project,
    created_at: start,
    feedback_type: "x",
    payload: {},
  });
  await imports.begin({ id, kind });
  await imports.add({ id, kind, from: 0, lines: [1, 2, 3].map((part) => JSON.stringify(record(part))) });
  await imports.finish({ id });
}

/** The number of records in a project. */
async function countOf({ url, apiKey }: OwnProcess, project: string): Promise<number> {
  const auxiliary = createAuxiliaryClient({ baseUrl: `${url}/auxiliary`, apiKey });
  const window = { project_id: project, start, end: "2026-11-04T00:05:00Z" };
  const { buckets } = await auxiliary.feedback.stats({ ...window, metrics: [{ json_path: "none" }] });
  return buckets[0]?.count ?? 0;
}

/** Repeats the requests that were not acknowledged, and checks that the effect of each occurred once. */
async function verify(running: OwnProcess, sent: Sent): Promise<void> {
  const { training, control } = running;
  const imported = await countOf(running, sent.project);
  // An import is complete or absent.
  expect(imported % 3).toBe(0);
  expect(imported).toBeGreaterThanOrEqual([...sent.imports.values()].filter(Boolean).length * 3);
  for (const key of sent.imports.keys()) await bringIn(control, sent.project, key);
  expect(await countOf(running, sent.project)).toBe(sent.imports.size * 3);
  for (const [key, id] of sent.models) {
    const again = await createModel(training, key);
    if (id !== undefined) expect(again.id).toBe(id);
    sent.models.set(key, again.id);
  }
  for (const [key, log] of sent.logs) {
    if (!log.acknowledged) await addLog(training, log, key);
    log.acknowledged = true;
  }
  for (const [key, job] of sent.jobs) {
    const again = await createJob(training, job.model, key);
    if (job.id !== undefined) expect(again.id).toBe(job.id);
    job.id = again.id;
  }
  for (const { id } of sent.jobs.values()) {
    // No job is stuck.
    const job = await until(async () => {
      const found = await training.trainingJobs.get(id ?? "");
      return (found.status === "completed" || found.status === "failed") && found;
    });
    expect(job).toMatchObject({ status: "completed", error_message: null });
    const types: string[] = [];
    for await (const event of training.trainingJobs.events.list(id ?? "")) types.push(event.type);
    expect(types).toEqual(["training_started", "training_ended"]);
  }
  for (const model of sent.models.values()) {
    if (model === undefined) continue;
    const splits: string[] = [];
    for await (const { split } of control.logs.list({ model_id: model, limit: 100 })) splits.push(split);
    const expected = [...sent.logs].filter(([, log]) => log.model === model).map(([key]) => key);
    expect(splits.toSorted()).toEqual(expected.toSorted());
    const steps: number[] = [];
    const metrics: Record<string, number> = {};
    for await (const checkpoint of training.models.checkpoints.list(model)) {
      steps.push(checkpoint.step);
      Object.assign(metrics, checkpoint.metrics);
    }
    const jobs = [...sent.jobs.values()].filter((job) => job.model === model).length;
    expect(steps).toEqual(Array.from({ length: jobs + 1 }, (_, step) => step));
    for (const key of expected) expect(metrics[`${key}/reward`]).toBe(sent.logs.get(key)?.reward);
  }
}

it(`loses no acknowledged write when it is killed ${crashes} times under load`, async () => {
  const data = temporaryFolder();
  let running = await startProcess(data);
  let acknowledged = 0;
  onTestFinished(() => running.kill());
  for (let crash = 0; crash < crashes; crash++) {
    const sent: Sent = {
      models: new Map(),
      logs: new Map(),
      jobs: new Map(),
      imports: new Map(),
      project: `crash/i${crash}`,
    };
    const work = Array.from({ length: 16 }, () => load(running, sent));
    await new Promise((resolve) => setTimeout(resolve, 30 + Math.random() * (longest - 30)));
    await Promise.all([running.kill(), ...work]);
    acknowledged += [...sent.logs.values()].filter((log) => log.acknowledged).length;
    running = await startProcess(data);
    await verify(running, sent);
  }
  expect((await running.control.violations.list()).data).toEqual([]);
  console.log(`Of ${acknowledged} acknowledged logs, none was lost or stored twice in ${crashes} kills.`);
}, 600_000);
