import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInferenceClient, type InferenceClient } from "@trainyard/inference";
import { createServer, type LocalServer } from "@trainyard/server";
import { createTrainingClient, type TrainingClient, type TrainingJobEvent } from "@trainyard/training";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask } from "../../test/lib.ts";
import { serveTiny, type TinyServer } from "../serve/serve-tiny.ts";

const command: [string, ...string[]] = [
  process.execPath,
  "--conditions=@trainyard/source",
  join(import.meta.dirname, "../cli.ts"),
  "train",
];
const root = mkdtempSync(join(tmpdir(), "tiny-command-"));
let tiny: TinyServer;
let server: LocalServer;
let training: TrainingClient;
let inference: InferenceClient;

beforeAll(async () => {
  const checkpoints = join(root, "checkpoints");
  tiny = await serveTiny({ port: 0, checkpoints });
  server = createServer({ backend: { url: tiny.url }, trainer: { command, jobs: 2 }, checkpoints, checkAnswers: true });
  training = createTrainingClient({ ...server.connect("training"), maxRetries: 0 });
  inference = createInferenceClient({ ...server.connect("inference"), maxRetries: 0 });
});
afterAll(async () => {
  await server.close();
  await tiny.close();
  rmSync(root, { recursive: true, force: true });
});

/** Starts the program with a job of fine-tuning that has so many steps. */
function start(steps: number): { child: ReturnType<typeof spawnTrain>; output: string } {
  const output = mkdtempSync(join(root, "output-"));
  const file = `${output}.jsonl`;
  writeFileSync(file, JSON.stringify({ messages: [...ask("a"), { role: "assistant", content: "b" }] }));
  return {
    child: spawnTrain({
      job: { id: "d4f8", kind: "sft", attempt: 1 },
      model: { id: "6f1d", entity: "harbor", project: "support-desk", name: "agent-1", base_model: "demo/tiny" },
      checkpoint: { step: 0, directory: null },
      output: { step: 1, directory: output },
      training_data: { url: "artifact:///harbor/support-desk/qa:v1", file },
      config: { learning_rate: Array.from({ length: steps }, () => 0.1) },
    }),
    output,
  };
}

function spawnTrain(job: object | string) {
  const [node, ...args] = command;
  const child = spawn(node, args, { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(typeof job === "string" ? job : JSON.stringify(job));
  return child;
}

it("tells its events one a line, and ends with 0", async () => {
  const { child, output } = start(2);
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  expect(error).toBe("");
  expect(code).toBe(0);
  const types = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).type);
  expect(types).toEqual(["training_started", "gradient_step", "gradient_step", "training_ended"]);
  expect(readdirSync(output).toSorted()).toEqual(["checkpoint.json", "weights.f32"]);
});

it("ends where it is told to, and leaves nothing", async () => {
  // More steps than there is time for.
  const { child, output } = start(1_000_000);
  const closed = once(child, "close");
  await once(child.stdout, "data");
  child.stdout.resume();
  child.kill("SIGTERM");
  expect(await closed).toEqual([143, null]);
  expect(readdirSync(output)).toEqual([]);
});

it("ends with 1 at what is no job, and says so in its last line", async () => {
  const child = spawnTrain("epoch 1");
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  expect([out, code]).toEqual(["", 1]);
  expect(error.trim().split("\n").at(-1)).toBe(
    "Standard input holds no JSON. The program reads one training job from it.",
  );
});

async function newModel() {
  return training.models.create({ project: "support-desk", name: crypto.randomUUID(), base_model: "demo/tiny" });
}

async function follow(jobId: string): Promise<TrainingJobEvent[]> {
  const events: TrainingJobEvent[] = [];
  for await (const event of training.trainingJobs.follow(jobId, { pollMs: 20 })) events.push(event);
  return events;
}

it("reinforces by the local server what pays off, from answers as chat gave them", async () => {
  const model = await newModel();
  const name = (step: number) => `artifact:///${model.entity}/${model.project}/${model.name}:step${step}`;
  const messages = [{ role: "user" as const, content: "Is the train late?" }];
  const rollOut = async (step: number, seed: number) => {
    const { choices } = await inference.chat.completions.create({
      model: name(step),
      messages,
      n: 24,
      seed,
      logprobs: true,
    });
    return choices.map((choice) => ({
      messages_and_choices: [...messages, choice],
      reward: choice.message.content === "maybe" ? 1 : 0,
    }));
  };
  const meanOf = (list: { reward: number }[]) => list.reduce((sum, { reward }) => sum + reward, 0) / list.length;
  const before = await rollOut(0, 1);
  const job = await training.trainingJobs.createRl({
    model_id: model.id,
    trajectory_groups: [{ trajectories: before }],
  });
  const events = await follow(job.id);
  expect(events.map(({ type }) => type)).toEqual([
    "training_started",
    ...Array.from({ length: 4 }, () => "gradient_step"),
    "training_ended",
  ]);
  // Chat says just what training calculates: the first step starts where the answers were sampled.
  expect(events[1]).toMatchObject({
    data: { clip_fraction: 0, kl: expect.closeTo(0, 6), reward: expect.closeTo(meanOf(before), 9) },
  });
  expect((await training.trainingJobs.wait(job.id, { pollMs: 20 })).step).toBe(1);
  const after = await rollOut(1, 2);
  expect(meanOf(after)).toBeGreaterThan(meanOf(before) + 0.2);
});

it("teaches by the local server ten answers that it then gives word for word", async () => {
  const model = await newModel();
  const pairs = [
    ["When does the harbor open?", "At six, before the tide."],
    ["When does it close?", "At ten in the evening."],
    ["Where is order 17?", "It waits at gate 4."],
    ["Where is order 23?", "It left on the morning ship."],
    ["Who is on shift tonight?", "Ada and Ben."],
    ["How do I return a parcel?", "Bring it to the desk with its ticket."],
    ["Is there a fee?", "No."],
    ["Can I pay by card?", "Yes, at the desk."],
    ["What is the largest crate?", "Two meters by one."],
    ["Grüße?", "Schöne Grüße zurück!"],
  ] as const;
  const url = `artifact:///${model.entity}/support-desk/questions:v1`;
  const records = pairs.map(([question, answer]) => ({
    messages: [...ask(question), { role: "assistant", content: answer }],
  }));
  await server.import("artifacts", records, { as: url });
  const job = await training.trainingJobs.createSft({ model_id: model.id, training_data_url: url });
  const events = await follow(job.id);
  expect(events[0]).toMatchObject({ type: "training_started", data: { num_sequences: 10 } });
  expect(events.at(-1)?.type).toBe("training_ended");
  const name = `artifact:///${model.entity}/${model.project}/${model.name}`;
  for (const [content, answer] of pairs) {
    const { choices } = await inference.chat.completions.create({
      model: name,
      messages: [{ role: "user", content }],
      temperature: 0,
    });
    expect(choices[0]?.message.content).toBe(answer);
  }
});

it("says by the local server why a job failed, and makes no checkpoint", async () => {
  const model = await newModel();
  const choice = {
    index: 0,
    finish_reason: "stop" as const,
    message: { role: "assistant" as const, content: "yes", refusal: null },
  };
  const trajectories = [{ messages_and_choices: [...ask("Is it?"), choice], reward: 1 }];
  const job = await training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: [{ trajectories }] });
  await expect(training.trainingJobs.wait(job.id, { pollMs: 20 })).rejects.toThrow(
    "trajectory_groups[0].trajectories[0].messages_and_choices[1] has no logprobs.",
  );
  const { data } = await training.models.checkpoints.list(model.id);
  expect(data.map(({ step }) => step)).toEqual([0]);
});

it("has kept to the contract throughout", () => {
  expect(server.violations()).toEqual([]);
});
