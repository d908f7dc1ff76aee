import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { createAuxiliaryClient } from "@trainyard/auxiliary";
import type { TrainingClient } from "@trainyard/training";
import { MetFaults } from "@trainyard/testing";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { migrations, versionOf } from "../src/store/migrations.ts";
import { NodeDatabase } from "../src/store/node-database.ts";
import { temporaryFolder } from "./folders.ts";
import { until } from "./lib.ts";
import { startProcess, type OwnProcess } from "./own-process.ts";
import { ended, eventsOf, groupsOf, newModel, notesIn, trainer } from "./trainers.ts";

// `pnpm exec vitest run --project crash` kills it 50 times; `pnpm test` a few times.
const crashes = Number(process.env["CRASHES"] ?? 1);
/** The longest load before a crash, in milliseconds. A longer load takes longer to verify, because each write is read back. */
const longest = process.env["CRASHES"] === undefined ? 150 : 430;

/** Where a process is killed, besides at random. */
const points = [
  "before a commit",
  "after a commit",
  "before a checkpoint is in its place",
  "after a checkpoint is in its place",
] as const;
const faults = new MetFaults(...points, "at random", "within a migration", "within a line of a trainer");
// A short run kills once.
afterAll(() => {
  if (crashes > points.length) faults.tell();
});

/** Kills a process where its work is at a point. False if it was not there within a minute. */
async function killAt(running: OwnProcess, file: string, point: (typeof points)[number]): Promise<boolean> {
  writeFileSync(file, `${point}\n${Math.floor(Math.random() * (point.endsWith("commit") ? 20 : 2))}`);
  await Promise.race([running.gone, new Promise((resolve) => setTimeout(resolve, 60_000))]);
  await running.kill();
  rmSync(file);
  const isMet = existsSync(`${file}.met`);
  rmSync(`${file}.met`, { force: true });
  return isMet;
}

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
  const [data, file] = [temporaryFolder(), join(temporaryFolder(), "point")];
  const start = () => startProcess(data, [], { KILL_AT: file });
  let running = await start();
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
    const point = points[(crash % (points.length + 1)) - 1];
    if (point === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 30 + Math.random() * (longest - 30)));
      await running.kill();
      faults.met("at random");
    } else if (await killAt(running, file, point)) faults.met(point);
    await Promise.all(work);
    acknowledged += [...sent.logs.values()].filter((log) => log.acknowledged).length;
    running = await start();
    await verify(running, sent);
  }
  expect((await running.control.violations.list()).data).toEqual([]);
  console.log(`Of ${acknowledged} acknowledged logs, none was lost or stored twice in ${crashes} kills.`);
}, 3_600_000);

const older = readdirSync(join(import.meta.dirname, "data")).filter((name) => name.endsWith(".zst"));

it.each(older.filter((name) => name !== `v${migrations.length}.sqlite.zst`))(
  "has the old data or the new ones of %s after it was killed within each step of the migration",
  { tags: ["long"] },
  async (name) => {
    const [data, point] = [temporaryFolder(), join(temporaryFolder(), "point")];
    const file = join(data, "trainyard.sqlite");
    writeFileSync(file, zstdDecompressSync(readFileSync(join(import.meta.dirname, "data", name))));
    const read = () => {
      const database = new NodeDatabase(file, true);
      const models = database.once("select id, name, last_step from models").map((row) => ({ ...row }));
      const found = { version: versionOf(database), models };
      database.close();
      return found;
    };
    const before = read();
    expect(before.models).toHaveLength(1);
    for (let step = 0; step < migrations.length - before.version; step++) {
      writeFileSync(point, `within a migration\n${step}`);
      await expect(startProcess(data, [], { KILL_AT: point })).rejects.toThrow("The server did not start.");
      expect(existsSync(`${point}.met`)).toBe(true);
      rmSync(`${point}.met`);
      faults.met("within a migration");
      expect(read()).toEqual(before);
    }
    await (await startProcess(data)).stop();
    expect(read()).toEqual({ ...before, version: migrations.length });
  },
);

it("stores no line of a trainer that a kill has torn", { tags: ["long"] }, async () => {
  const [data, log] = [temporaryFolder(), join(temporaryFolder(), "log")];
  let running = await startProcess(data, trainer.command);
  onTestFinished(() => running.kill());
  const { id: model_id } = await newModel(running.training);
  const trajectory_groups = groupsOf({ mode: "torn", log });
  const { id } = await running.training.trainingJobs.createRl({ model_id, trajectory_groups });
  for (let kill = 1; kill <= 2; kill++) {
    await until(async () => notesIn(log).filter(({ what }) => what === "half").length === kill);
    await running.kill();
    faults.met("within a line of a trainer");
    running = await startProcess(data, trainer.command);
  }
  expect(await ended(running.training, id)).toMatchObject({ status: "completed", error_message: null });
  const events = (await eventsOf(running.training, id)).map(({ type, data: event }) => Object(event).loss ?? type);
  expect(new Set(events)).toEqual(new Set(["training_started", 1, 1 / 2, 1 / 3, "training_ended"]));
});
