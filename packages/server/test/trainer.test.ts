/** @module-tag long */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import type { Model } from "@trainyard/training";
import type { SftTrainerJob, TrainerLogLine } from "../src/index.ts";
import { makeServer, send, sharedServer, until } from "./lib.ts";
import { ended, eventsOf, groupsOf, isAlive, newModel, notesIn, script, scriptedTrainer, trainer } from "./trainers.ts";
import { temporaryFolder } from "./folders.ts";

// The protocol between the server and a trainer, rule by rule.
const checkpoints = temporaryFolder(afterAll);
const server = sharedServer({ trainer: scriptedTrainer, checkpoints });

/** The fields of a model that a trainer gets: only its names. */
const namesOf = ({ id, entity, project, name, base_model }: Model) => ({ id, entity, project, name, base_model });

/** Runs a job with this script to its end. */
async function run(...actions: unknown[][]) {
  const { training } = server.clients(server.fresh());
  const model = await newModel(training);
  const { id } = await training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: script(...actions) });
  const job = await ended(training, id);
  const events = await eventsOf(training, id);
  const { data } = await training.models.checkpoints.list(model.id);
  const folder = join(checkpoints, model.id, "step1");
  return { model, job, events, last: events.at(-1), steps: data.map(({ step }) => step), folder };
}

it("passes the job to the program, without unknown fields of the request", async () => {
  vi.stubEnv("TRAINYARD_API_KEY", "a key of a client");
  vi.stubEnv("TRAINYARD_ACCESS_TOKEN", "another");
  vi.stubEnv("TRAINYARD_UPSTREAM_KEY", "a key of the chat backend");
  vi.stubEnv("TRAINYARD_PETS_API_KEY", "a key of somebody's service");
  const { training } = server.clients("team-0");
  const model = await newModel(training);
  const groups = script(["start"], ["tell"]);
  const body = { model_id: model.id, trajectory_groups: groups, experimental_config: { learning_rate: 0.5 } };
  const slipped = { ...body, output: { step: 9, directory: "/" }, training_data: { url: "x", file: "y" }, job: 1 };
  const connection = server.connect("training", "team-0");
  const created = await send(connection, "/v1/preview/training-jobs", { body: JSON.stringify(slipped) });
  const { id }: { id: string } = JSON.parse(await created.text());
  vi.unstubAllEnvs();
  expect(await ended(training, id)).toMatchObject({ status: "completed" });
  const received = (await eventsOf(training, id)).at(-1)?.data as Record<string, unknown>;
  expect(received["job"]).toEqual({
    job: { id, kind: "rl", attempt: 1 },
    model: namesOf(model),
    checkpoint: { step: 0, directory: null },
    output: { step: 1, directory: expect.stringContaining(checkpoints) },
    trajectory_groups: groups,
    experimental_config: { learning_rate: 0.5 },
  });
  expect(received["args"]).toEqual(["an argument"]);
  expect(received["cwd"]).toBe(process.cwd());
  expect(received["keys"]).toContain("PATH");
  expect(received["keys"]).not.toContainEqual(expect.stringMatching(/^TRAINYARD_/));
});

it("passes the data of fine-tuning as a file outside of the checkpoint", async () => {
  const folder = temporaryFolder();
  const own = makeServer({ trainer, checkpoints: folder });
  const { training } = own.clients("team-0");
  const model = await newModel(training);
  const url = "artifact:///team-0/p/qa:v1";
  await own.import("artifacts", [{ messages: [] }, { messages: [] }], { as: url });
  const settings = { config: { batch_size: 4 }, experimental_config: { any: 1 } };
  const { id } = await training.trainingJobs.createSft({ model_id: model.id, training_data_url: url, ...settings });
  expect(await ended(training, id)).toMatchObject({ status: "completed" });
  expect((await eventsOf(training, id))[0]).toMatchObject({ data: { num_sequences: 2 } });
  const kept = join(folder, model.id, "step1");
  expect(readdirSync(kept).toSorted()).toEqual(["job.json", "weights"]);
  const job: SftTrainerJob = JSON.parse(readFileSync(join(kept, "job.json"), "utf8"));
  expect(job).toMatchObject({ job: { id, kind: "sft", attempt: 1 }, training_data: { url }, ...settings });
  const { file } = job.training_data;
  expect([isAbsolute(file), "trajectory_groups" in job]).toEqual([true, false]);
  await until(async () => !existsSync(file));
  await own.end();
});

it("stores the program's files in the folder of the checkpoint's step", async () => {
  const { model, job, steps, folder, last } = await run(["write", "a", "1"], ["start"], ["write", "b", "2"], ["end"]);
  expect(job).toMatchObject({ status: "completed", error_message: null });
  expect(steps).toEqual([0, 1]);
  expect(readdirSync(folder).toSorted()).toEqual(["a", "b"]);
  expect(JSON.parse(readFileSync(join(folder, "../model.json"), "utf8"))).toEqual(namesOf(model));
  expect(last).toMatchObject({ type: "training_ended", data: { checkpoint_id: expect.any(String) } });
});

it("ignores blank lines and standard error, and accepts an event without data", async () => {
  const { job, events } = await run(["out", ""], ["err", "loading"], ["start"], ["out", '{"type":"training_ended"}']);
  expect(job.status).toBe("completed");
  expect(events.map(({ type }) => type)).toEqual(["training_started", "training_ended"]);
});

it("stores a program's standard error with its attempt, and emits it line by line", async () => {
  const log: TrainerLogLine[] = [];
  const folder = temporaryFolder();
  const own = makeServer({ trainer: scriptedTrainer, checkpoints: folder, trainerLog: (line) => log.push(line) });
  const { training } = own.clients();
  const model = await newModel(training);
  const groups = script(["err", "loading\nweights of rank 0"], ["start"], ["err", "no memory left"], ["exit", 3]);
  const { id: jobId } = await training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: groups });
  const { error_message: message } = await ended(training, jobId);
  const file = join(folder, model.id, "jobs", jobId, "attempt1", "trainer.log");
  expect(message).toBe(`The trainer ended with 3: no memory left (log: ${file})`);
  expect(readFileSync(file, "utf8")).toMatch(/^loading\nweights of rank 0\s*no memory left\s*$/);
  const lines = ["loading", "weights of rank 0", "no memory left"];
  expect(log).toEqual(lines.map((line) => ({ jobId, attempt: 1, line })));
  await training.models.delete(model.id);
  await until(async () => !existsSync(file));
  await own.end();
});

it("assigns its own ids to events, in the order in which they were written", async () => {
  const steps = [1, 2, 3].map((loss) => ["say", "gradient_step", { loss }]);
  const mine = { type: "gradient_step", id: "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30", data: { loss: 4 } };
  const { events } = await run(["start"], ...steps, ["out", JSON.stringify(mine)], ["end", { any: ["thing"] }]);
  expect(events.slice(1, -1).map(({ data }) => data)).toEqual([1, 2, 3, 4].map((loss) => ({ loss })));
  expect(events.map(({ id }) => id)).not.toContain(mine.id);
  expect(events.at(-1)?.data).toMatchObject({ any: ["thing"] });
});

it.each<[string, RegExp, ...unknown[][]]>([
  [
    "says that it failed",
    /^All rewards are equal\.$/,
    ["say", "training_failed", { error_message: "All rewards are equal." }],
  ],
  [
    "says so late, whatever its exit code",
    /^Too hot\.$/,
    ["start"],
    ["say", "training_failed", { error_message: "Too hot." }],
    ["exit", 9],
  ],
  [
    "ends with a code",
    /^The trainer ended with 3: Out of memory on device 0 \(log: .*trainer\.log\)$/,
    ["start"],
    ["err", "Traceback\nOut of memory on device 0"],
    ["exit", 3],
  ],
  ["ends well and with a code", /^The trainer ended with 1\.$/, ["start"], ["end"], ["exit", 1]],
  ["is ended by a signal", /^The trainer ended with SIGKILL\.$/, ["start"], ["signal", "SIGKILL"]],
  [
    "writes what is not JSON",
    /^Line 2 of the trainer's output is not JSON: "epoch 1 of 3"\./,
    ["start"],
    ["out", "epoch 1 of 3"],
  ],
  ["writes a long banner", /^Line 1 of the trainer's output is not JSON: "={80}…"\./, ["out", "=".repeat(300)]],
  [
    "writes NaN as Python does",
    /^NaN is not a JSON number \(line 2 of the trainer's output\)/,
    ["start"],
    ["out", '{"type": "gradient_step", "data": {"loss": NaN, "text": "a"}}'],
  ],
  [
    "writes an infinity as Python does",
    /^-Infinity is not a JSON number/,
    ["start"],
    ["out", '{"type": "gradient_step", "data": {"loss": -Infinity}}'],
  ],
  ["writes JSON that is no event", /^Line 2 of the trainer's output has no type/, ["start"], ["out", "[1]"]],
  [
    "writes a line without end",
    /^Line 2 of the trainer's output is longer than 1 MiB/,
    ["start"],
    ["long", 2 ** 20 + 1],
  ],
  [
    "writes a step that is no number",
    /invalid event gradient_step: data\.loss: /,
    ["start"],
    ["say", "gradient_step", { loss: "low" }],
  ],
  ["writes an event that nobody knows", /invalid event epoch: /, ["start"], ["say", "epoch", {}]],
  ["does not say how much it learns from", /invalid event training_started: data\.num_sequences: /, ["start", {}]],
  ["writes a step before its start", /gradient_step before training_started/, ["say", "gradient_step", {}]],
  ["ends before its start", /training_ended before training_started/, ["end"]],
  ["goes on after its end", /gradient_step after training_ended/, ["start"], ["end"], ["say", "gradient_step", {}]],
  [
    "fails after its end",
    /training_failed after training_ended/,
    ["start"],
    ["end"],
    ["say", "training_failed", { error_message: "no" }],
  ],
  ["ends without a word", /without an event training_ended or training_failed/],
  ["leaves another with its output", /^Line 2 of the trainer's output is not JSON/, ["start"], ["leave", true]],
])("fails the job of a program that %s", async (_, message, ...actions) => {
  const { job, events, last, steps, folder } = await run(["write", "weights", "half"], ...actions);
  expect(job).toMatchObject({ status: "failed", error_message: expect.stringMatching(message) });
  expect(last).toMatchObject({ type: "training_failed", data: { error_message: job.error_message } });
  expect(events.filter(({ type }) => type === "training_failed" || type === "training_ended")).toHaveLength(1);
  expect([steps, existsSync(folder)]).toEqual([[0], false]);
});

it("fails the job if the program cannot be started, and accepts a program that does not read its job", async () => {
  const groups = script([]);
  for (const [command, message] of [
    [["no-such-program"], /^The trainer no-such-program could not be started: /],
    [[process.execPath, "-e", "process.exit(0)"], /without an event/],
  ] as const) {
    const own = makeServer({ trainer: { command: [...command] as [string] } });
    const { training } = own.clients();
    const model = await newModel(training);
    const big = Array.from({ length: 3000 }, () => groups[0] ?? { trajectories: [] });
    const { id } = await training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: big });
    expect((await ended(training, id)).error_message).toMatch(message);
    await own.end();
  }
});

it("limits the wait for processes that a program left behind", async () => {
  const own = makeServer({ trainer: { ...scriptedTrainer, graceMs: 50 } });
  const { training } = own.clients();
  const { id } = await newModel(training);
  const groups = script(["start"], ["leave", false], ["end"]);
  const job = await training.trainingJobs.createRl({ model_id: id, trajectory_groups: groups });
  expect(await ended(training, job.id)).toMatchObject({ status: "completed" });
  await own.end();
});

it("asks a program to exit, and kills it if it does not", async () => {
  const log = join(temporaryFolder(), "log");
  const own = makeServer({ trainer: { ...trainer, graceMs: 50 } });
  const { training } = own.clients();
  for (const mode of ["work", "deaf"]) {
    const model = await newModel(training);
    await training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: groupsOf({ mode, log }) });
    const { pid } = await until(async () => notesIn(log).find(({ pid: found }) => isAlive(found)));
    await training.models.delete(model.id);
    await until(async () => !isAlive(pid));
  }
  expect(notesIn(log).map(({ what }) => what)).toEqual(["1", "1"]);
  await own.end();
});
