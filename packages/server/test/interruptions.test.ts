/** @module-tag long */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeServer, send, until } from "./lib.ts";
import { startProcess } from "./own-process.ts";
import { ended, eventsOf, groupsOf, isAlive, newModel, notesIn, trainer } from "./trainers.ts";
import { temporaryFolder } from "./folders.ts";

// What happens to a job, its program and its files if the server or the model ends before the job.

it("restarts a job after the server was killed, and fails it after the third time", async () => {
  const data = temporaryFolder();
  const log = join(temporaryFolder(), "log");
  const counted = () => notesIn(log).filter(({ what }) => what !== "gone");
  let server = await startProcess(data, trainer.command);
  onTestFinished(() => server.kill());
  const model = await newModel(server.training);
  const create = (mode: string) =>
    server.training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: groupsOf({ mode, log }) });
  const [{ id }, next] = [await create("work"), await create("good")];
  for (let attempt = 1; attempt <= 3; attempt++) {
    await until(async () => counted().length === attempt);
    // It has its own events and those of the earlier attempts.
    await until(async () => (await eventsOf(server.training, id)).length > 4 * attempt);
    expect((await server.training.trainingJobs.get(id)).status).toBe("running");
    await server.kill();
    // Its program notices that its output is closed, and exits.
    await until(async () => notesIn(log).filter(({ what }) => what === "gone").length === attempt);
    server = await startProcess(data, trainer.command);
  }
  const job = await ended(server.training, id);
  expect(job).toMatchObject({
    status: "failed",
    error_message: "The server ended 3 times while this job ran. Find out why, then create the job again.",
  });
  const types = (await eventsOf(server.training, id)).map(({ type }) => type);
  expect([types[0], types.at(-1)]).toEqual(["training_started", "training_failed"]);
  expect(types.filter((type) => type !== "gradient_step")).toHaveLength(2);
  const attempts = (await eventsOf(server.training, id)).map(({ attempt }) => attempt);
  expect([...new Set(attempts)]).toEqual([1, 2, 3]);
  // The next job runs, and no files of the interrupted attempts are left.
  expect(await ended(server.training, next.id)).toMatchObject({ status: "completed" });
  expect(counted().map(({ what }) => what)).toEqual(["1", "2", "3", "1"]);
  expect(readdirSync(join(data, "checkpoints")).toSorted()).toEqual([model.id, "under-way"].toSorted());
  await until(async () => readdirSync(join(data, "checkpoints/under-way")).length === 0);
});

it("restarts a job after the server was closed, without counting an interruption", async () => {
  const [data, log] = [temporaryFolder(), join(temporaryFolder(), "log")];
  let server = makeServer({ data, trainer });
  const model = await newModel(server.clients().training);
  const groups = groupsOf({ mode: "work", log });
  const { id } = await server
    .clients()
    .training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: groups });
  for (let run = 1; run <= 2; run++) {
    const { pid } = await until(async () => notesIn(log)[run - 1]);
    await until(async () => (await eventsOf(server.clients().training, id)).length > 4 * run);
    await server.end();
    expect(isAlive(pid)).toBe(false);
    server = makeServer({ data, trainer });
  }
  await until(async () => notesIn(log).length === 3);
  const { training } = server.clients();
  expect(await training.trainingJobs.get(id)).toMatchObject({ status: "running", error_message: null });
  // It has one start event, however often it starts.
  const types = (await eventsOf(training, id)).map(({ type }) => type);
  expect(types.filter((type) => type === "training_started")).toHaveLength(1);
  // Each start is an attempt, so that its events can be told from those of the others.
  expect(notesIn(log).map(({ what }) => what)).toEqual(["1", "2", "3"]);
  await server.end();
});

it("counts no stop by SIGTERM against a job, whether its program obeys, or the server is killed before it does", async () => {
  const [data, log] = [temporaryFolder(), join(temporaryFolder(), "log")];
  const start = () => startProcess(data, trainer.command, { TRAINER_GRACE_MS: "60000" });
  let server = await start();
  onTestFinished(() => server.kill());
  const create = async (mode: string) => {
    const model = await newModel(server.training);
    const groups = groupsOf({ mode, log });
    return (await server.training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: groups })).id;
  };
  const jobs = [await create("work"), await create("deaf")];
  const noted = (what: string) => notesIn(log).filter((note) => note.what === what).length;
  // As many as the crashes after which a job fails.
  for (let stop = 1; stop <= 3; stop++) {
    await until(async () => noted(String(stop)) === jobs.length);
    void server.stop();
    await until(async () => noted("asked") === stop);
    await server.kill();
    await until(async () => notesIn(log).every(({ pid }) => !isAlive(pid)));
    server = await start();
  }
  await until(async () => noted("4") === jobs.length);
  for (const id of jobs)
    expect(await server.training.trainingJobs.get(id)).toMatchObject({ status: "running", error_message: null });
});

it("ends the programs of running jobs at a reset, and starts none that are queued", async () => {
  const [log, checkpoints] = [join(temporaryFolder(), "log"), temporaryFolder()];
  const server = makeServer({ trainer: { ...trainer, graceMs: 200 }, checkpoints });
  const { training } = server.clients();
  const create = async (mode: string) => {
    const model = await newModel(training);
    const groups = groupsOf({ mode, log });
    return training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: groups });
  };
  await ended(training, (await create("good")).id);
  // The second job takes longer to end, so the place of the first one is free before that. The waiting job must not take it.
  const running = [await create("work"), await create("deaf")];
  const waiting = await create("work");
  const pids = await until(
    async () =>
      notesIn(log).length === 3 &&
      notesIn(log)
        .slice(1)
        .map(({ pid }) => pid),
  );
  const reset = await send(server.connect("local"), "/reset", { method: "POST" });
  expect(reset.status).toBe(200);
  expect(pids.map(isAlive)).toEqual([false, false]);
  for (const { id } of [...running, waiting]) {
    await expect(training.trainingJobs.get(id)).rejects.toMatchObject({ status: 404 });
  }
  expect(readdirSync(checkpoints).filter((name) => /^[0-9a-f-]{36}$/.test(name))).toEqual([]);
  // The next jobs run in the free places.
  expect(await ended(training, (await create("good")).id)).toMatchObject({ status: "completed" });
  expect(notesIn(log)).toHaveLength(4);
  await server.end();
});

it("ends the program of a deleted model with its child processes, and starts the next job", async () => {
  const [log, checkpoints] = [join(temporaryFolder(), "log"), temporaryFolder()];
  // The program runs in a shell that waits for it, so a signal to the shell alone would not end it.
  const command: [string, ...string[]] = ["/bin/sh", "-c", `"$@"; exit $?`, "sh", ...trainer.command];
  const server = makeServer({ trainer: process.platform === "win32" ? trainer : { command, jobs: 1 }, checkpoints });
  const { training } = server.clients();
  const [model, other] = [await newModel(training), await newModel(training)];
  const create = (id: string, mode: string) =>
    training.trainingJobs.createRl({ model_id: id, trajectory_groups: groupsOf({ mode, log }) });
  await ended(training, (await create(model.id, "good")).id);
  const running = await create(model.id, "work");
  const queued = await create(model.id, "good");
  const next = await create(other.id, "good");
  const { pid } = await until(async () => notesIn(log)[1]);
  await training.models.delete(model.id);
  expect(await training.trainingJobs.get(running.id)).toMatchObject({ status: "failed" });
  expect(await ended(training, next.id)).toMatchObject({ status: "completed" });
  await until(async () => !readdirSync(checkpoints).includes(model.id));
  await until(async () => readdirSync(join(checkpoints, "under-way")).length === 0);
  expect((await training.trainingJobs.get(queued.id)).error_message).toBe("The model was deleted.");
  expect(notesIn(log).map((note) => note.pid)).toHaveLength(3);
  expect(notesIn(log)[1]?.pid).toBe(pid);
  await server.end();
});
