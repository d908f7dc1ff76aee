/** @module-tag long */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import { join } from "node:path";
import type { TrainingClient } from "@trainyard/training";
import { expect, it, onTestFinished } from "vitest";
import type { TrainerOptions } from "../src/index.ts";
import { temporaryFolder } from "./folders.ts";
import { canMount, fillDisk, smallDisk } from "./mounts.ts";
import { listening, makeServer, until } from "./lib.ts";
import { startProcess } from "./own-process.ts";
import { ended, eventsOf, groupsOf, isAlive, newModel } from "./trainers.ts";

// A trainer with `resume`: its work is a process that continues without the server, like a job of a cluster.
const trainer: TrainerOptions = {
  command: [process.execPath, join(import.meta.dirname, "programs/resumed-trainer.mjs")],
  jobs: 2,
  resume: true,
};

/** Whether the server ends in each state, as in `pnpm exec vitest run --project crash`. `pnpm test` chooses one, because a start takes time. */
const isLong = process.env["CRASHES"] !== undefined;

/** The files that the work of a job waits for, and its notes. */
function newGates() {
  const folder = temporaryFolder();
  const lines = (name: string) => {
    const file = join(folder, name);
    return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  };
  onTestFinished(() => {
    for (const pid of lines("works").map(Number)) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  });
  return {
    folder,
    lines,
    open: (...names: string[]) => names.forEach((name) => writeFileSync(join(folder, name), "")),
  };
}

/** Brings the work of a job into each state that it may have when the server ends. */
const states: readonly ((gates: ReturnType<typeof newGates>, events: () => Promise<number>) => Promise<unknown>)[] = [
  // Started, without a note.
  (gates) => until(async () => gates.lines("started").length === 1),
  // Waiting.
  (gates) => {
    gates.open("noted");
    return until(async () => gates.lines("works").length === 1);
  },
  // Running.
  (gates, events) => {
    gates.open("begins");
    return until(async () => (await events()) === 4);
  },
];

/** Each start of the trainer if the server ended in all states: the attempt, and the number of stored events. */
const inAllStates = ["1 0", "1 0", "1 0", "1 4"];

/** Checks that the work of a job ran once, and that each of its events is stored once. */
async function holdsOnce(training: TrainingClient, id: string, gates: ReturnType<typeof newGates>, follows: string[]) {
  expect(await ended(training, id)).toMatchObject({ status: "completed", error_message: null });
  const events = (await eventsOf(training, id)).map(({ type, data }) => [type, Object(data).step ?? null]);
  const steps = [1, 2, 3, 4, 5, 6].map((step) => ["gradient_step", step]);
  expect(events).toEqual([["training_started", null], ...steps, ["training_ended", null]]);
  expect(gates.lines("works")).toHaveLength(1);
  expect(gates.lines("follows")).toEqual(follows);
}

it("resumes the work of a killed server from any state, as the same attempt", async () => {
  const [data, gates] = [temporaryFolder(), newGates()];
  const start = () => startProcess(data, trainer.command, { TRAINER: "resume" });
  let server = await start();
  onTestFinished(() => server.kill());
  const { id: model } = await newModel(server.training);
  const groups = groupsOf({ gates: gates.folder });
  const { id } = await server.training.trainingJobs.createRl({ model_id: model, trajectory_groups: groups });
  for (const [index, reach] of states.entries()) {
    await reach(gates, async () => (await eventsOf(server.training, id)).length);
    if (!isLong && index !== 0) continue;
    await server.kill();
    server = await start();
    expect((await server.training.trainingJobs.get(id)).status).toBe("running");
    await until(async () => gates.lines("follows").length === index + 2);
  }
  gates.open("ends");
  await holdsOnce(server.training, id, gates, isLong ? inAllStates : ["1 0", "1 0"]);
  await until(async () => readdirSync(join(data, "checkpoints/under-way")).length === 0);
  expect(readFileSync(join(data, "checkpoints", model, "step1/weights"), "utf8")).toBe("6");
});

it("resumes the work of a closed server from any state, without downloading data again", async () => {
  const [data, gates] = [temporaryFolder(), newGates()];
  let fetched = 0;
  const host = createHttp((_, response) => (fetched++, response.end('{"messages":[]}\n')));
  onTestFinished(() => void host.close());
  const dataHost = `127.0.0.1:${await listening(host)}`;
  const start = () => makeServer({ data, trainer, dataHosts: [dataHost] });
  let server = start();
  const { id: model } = await newModel(server.clients().training);
  const { id } = await server.clients().training.trainingJobs.createSft({
    model_id: model,
    training_data_url: `http://${dataHost}/data.jsonl`,
    experimental_config: { gates: gates.folder },
  });
  for (const [index, reach] of states.entries()) {
    await reach(gates, async () => (await eventsOf(server.clients().training, id)).length);
    if (!isLong && index !== 2) continue;
    await server.end();
    server = start();
    await until(async () => gates.lines("follows").length === (isLong ? index + 2 : 2));
  }
  gates.open("ends");
  await holdsOnce(server.clients().training, id, gates, isLong ? inAllStates : ["1 0", "1 4"]);
  expect(fetched).toBe(1);
  await server.end();
});

it("ends the work of a deleted model, at the next start if it cannot be ended now", async () => {
  const [data, gates, errors] = [temporaryFolder(), newGates(), [] as unknown[]];
  const start = () => makeServer({ data, trainer, report: (error) => errors.push(error) });
  let server = start();
  const { training } = server.clients();
  const { id: model } = await newModel(training);
  const groups = groupsOf({ gates: gates.folder });
  await training.trainingJobs.createRl({ model_id: model, trajectory_groups: groups });
  gates.open("noted");
  const pid = Number(await until(async () => gates.lines("works")[0]));
  await training.models.delete(model);
  const [error] = await until(async () => errors.length > 0 && errors);
  expect(String(error)).toMatch(
    /^Error: The job .* has ended, but its work could not be canceled: The trainer ended with 1: .*next start/,
  );
  await server.end();
  expect(isAlive(pid)).toBe(true);
  gates.open("cancels");
  server = start();
  await until(async () => !isAlive(pid));
  await until(async () => readdirSync(join(data, "checkpoints/under-way")).length === 0);
  await server.end();
});

it.skipIf(!canMount)("delays the events of a job until a full disk has space again", async () => {
  const [gates, notices, { folder }] = [newGates(), [] as string[], smallDisk(3000)];
  const [data, filler] = [join(folder, "data"), join(folder, "filler")];
  writeFileSync(filler, Buffer.alloc(1_000_000));
  const checkpoints = temporaryFolder();
  const server = makeServer({ data, checkpoints, trainer, notice: (sentence) => notices.push(sentence) });
  const { training } = server.clients();
  const { id: model } = await newModel(training);
  const groups = groupsOf({ gates: gates.folder });
  const { id } = await training.trainingJobs.createRl({ model_id: model, trajectory_groups: groups });
  for (const reach of states) await reach(gates, async () => (await eventsOf(training, id)).length);
  fillDisk(folder);
  gates.open("ends");
  await until(async () => notices.length === 1);
  expect(await training.trainingJobs.get(id)).toMatchObject({ status: "running" });
  expect((await eventsOf(training, id)).length).toBeLessThan(8);
  rmSync(filler);
  await holdsOnce(training, id, gates, ["1 0"]);
  await server.end();
});
