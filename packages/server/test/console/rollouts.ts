import { join } from "node:path";
import type { CreateRlTrainingJobRequest, LogRequest } from "@trainyard/training";
import { readers } from "../../src/handlers/readers.ts";
import { commands } from "../../src/store/commands/index.ts";
import type { Database } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrations.ts";
import { NodeDatabase } from "../../src/store/node-database.ts";

type Group = LogRequest["trajectory_groups"][number];

/** The size of generated data. */
export interface MadeSize {
  readonly steps: number;
  /** The number of attempts of each group of a step. */
  readonly groups: readonly number[];
  /** With log probabilities, metadata and exceptions, and with jobs that train on the logged groups. */
  readonly whole?: boolean;
  readonly seed?: number;
  readonly name?: string;
}

/** A step of a real run: 100 attempts in groups of 64, 8 and 1. */
export const realGroups: readonly number[] = [64, 8, 8, 8, 8, 1, 1, 1, 1];

const entity = "harbor";
const words = "the parcel left us on time and has not moved since then so I look it up before I promise a refund".split(
  " ",
);

/** Writes a run with the code that stores logs and jobs, at times of its own. */
export class MadeRun {
  readonly id: string;
  readonly #database: Database;
  #now = 1_700_000_000_000;

  constructor(database: Database, name = "agent-1") {
    this.#database = database;
    const model = { entity, project: "support-desk", name, baseModel: "demo/tiny", returnExisting: false };
    const made = this.#run((context) => commands["models.create"](context, model));
    if (typeof made === "string") throw new Error(made);
    this.id = made.id;
  }

  /** Logs groups at the newest step. */
  log(groups: readonly Group[], split = "train"): void {
    const log: LogRequest = { split, trajectory_groups: [...groups] };
    const { groups: facts, ...read } = readers["models.log"](log);
    const input = { entity, modelId: this.id, body: Buffer.from(JSON.stringify(log)), ...read, ...inOne(facts) };
    this.#run((context) => commands["logs.add"](context, input));
  }

  /** Trains on groups, which makes a new step. */
  train(
    groups: readonly Group[],
    updates: readonly object[],
    config: CreateRlTrainingJobRequest["experimental_config"],
  ): void {
    const job = { model_id: this.id, trajectory_groups: [...groups], experimental_config: config ?? null };
    const { model_id: modelId, groups: facts, ...read } = readers["trainingJobs.createRl"](job);
    const rows = { ...read, ...inOne(facts) };
    const request = new TextEncoder().encode(JSON.stringify(job));
    this.#run((context) => commands["jobs.create"](context, { entity, modelId, kind: "rl", request, ...rows }));
    const attempt = this.#run((context) => commands["jobs.claim"](context, { started: [] }));
    if (attempt === undefined) throw new Error("The job does not wait.");
    const of = { jobId: attempt.jobId, attempt: attempt.attempt };
    const events = updates.map((data) => ({ type: "gradient_step", data }));
    this.#run((context) => commands["events.add"](context, { ...of, place: 0, events }));
    this.#run((context) => commands["jobs.complete"](context, { ...of, data: {} }));
  }

  #run<T>(work: (context: { database: Database; now: number }) => T): T {
    this.#now += 2000;
    return this.#database.transaction(() => work({ database: this.#database, now: this.#now }));
  }
}

/** Opens the database of a data folder, which is made if there is none. */
export function openDatabase(folder: string): NodeDatabase {
  const database = new NodeDatabase(join(folder, "trainyard.sqlite"));
  migrate(database);
  return database;
}

/** Fills a data folder with a run that learns: conversations with tools, and a job for each step. @returns its id */
export function makeRollouts(
  folder: string,
  { steps, groups: sizes, whole = false, seed = 7, name = "agent-1" }: MadeSize,
): string {
  const database = openDatabase(folder);
  database.exec("pragma synchronous = off");
  const random = generator(seed);
  const run = new MadeRun(database, name);
  for (let step = 0; step < steps; step++) {
    const groups = sizes.map((size, place) =>
      makeGroup(random, step / steps, { step, place, size, whole, of: sizes.length }),
    );
    run.log(groups);
    if (step === steps - 1) break;
    const updates = Array.from({ length: 4 }, () => ({
      loss: 0.07 - 0.04 * (step / steps) + random() * 0.01,
      entropy: 1.2 - 0.6 * (step / steps),
      kl_reference: 0.001 + 0.004 * (step / steps),
    }));
    run.train(whole ? groups : [], updates, { learning_rate: seed });
  }
  database.close();
  return run.id;
}

/** Removes the rows that a version before them did not have. */
export function forgetRows(folder: string): void {
  const database = openDatabase(folder);
  database.exec(`delete from groups; delete from steps; delete from underived;
    update jobs set groups = 0, sequences = 0;
    insert into underived(source, seq) select 'log', seq from logs union all select 'job', seq from jobs`);
  database.close();
}

interface MadeGroup {
  readonly step: number;
  readonly place: number;
  readonly size: number;
  readonly whole: boolean;
  /** The number of groups of a step. */
  readonly of: number;
}

function makeGroup(random: () => number, progress: number, { step, place, size, whole, of }: MadeGroup): Group {
  // In real data, the last task of each step is never seen again.
  const task = whole && place === of - 1 ? `once-${step}` : `task-${(step * of + place) % 200}`;
  const attempts = Array.from({ length: size }, () => random() < (whole && size > 1 ? 0.05 : 0));
  const thrown = attempts.filter(Boolean).length + (!whole && random() < 0.02 ? 1 : 0);
  return {
    metadata: { task, ...(whole && { dataset: place % 2 === 0 ? "parcels" : "refunds" }) },
    trajectories: attempts.filter((isThrown) => !isThrown).map(() => makeTrajectory(random, progress, whole)),
    exceptions: Array.from({ length: thrown }, () => ({
      type: "ToolTimeout",
      message: "find_order gave no answer within 5 s.",
      traceback: "shop/agent.py:88",
    })),
  };
}

function makeTrajectory(random: () => number, progress: number, whole: boolean): Group["trajectories"][number] {
  const resolved = random() < 0.3 + 0.6 * progress;
  const choice = (content: string, finish: "stop" | "tool_calls", more: object = {}) => ({
    index: 0,
    finish_reason: finish,
    message: { role: "assistant" as const, content, ...more },
    ...(whole && { logprobs: { content: tokensOf(content, random) } }),
  });
  const call = { type: "function", id: "call_1", function: { name: "find_order", arguments: '{"order":"K-20931"}' } };
  return {
    messages_and_choices: [
      {
        role: "system",
        content: "You help customers of a mail order company. Look orders up before you promise anything.",
      },
      { role: "user", content: `Order K-20931: ${sentence(random, 24)}` },
      choice(sentence(random, 8), "tool_calls", { tool_calls: [call] }),
      { role: "tool", tool_call_id: "call_1", content: `{"sent":"12 Oct","state":"${sentence(random, 6)}"}` },
      choice(sentence(random, whole ? 100 : 40), "stop"),
    ],
    reward: resolved ? 1 : Math.floor(random() * 5) / 4,
    metrics: { resolved, polite: random(), ...(whole && { turns: 2 }) },
    ...(whole && { metadata: { worker: `rollout-${Math.floor(random() * 8)}` } }),
  };
}

/** Each word as a token, and half of them as two: 150 for 100 words. */
function tokensOf(content: string, random: () => number) {
  return content.split(/(?<= )/).flatMap((word, at) =>
    (at % 2 === 0 ? [word] : [word.slice(0, 2), word.slice(2)]).map((token) => ({
      token,
      bytes: null,
      logprob: -Math.round(random() * 4e6) / 1e6,
      top_logprobs: [],
    })),
  );
}

function sentence(random: () => number, length: number): string {
  return Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(" ");
}

/** The same random numbers each time. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** All pieces of the facts of groups in one. */
function inOne(pieces: readonly string[]) {
  return { groups: `[${pieces.map((piece) => piece.slice(1, -1)).join()}]`, more: false };
}
