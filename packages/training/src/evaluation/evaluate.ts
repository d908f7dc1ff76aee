import { ConfigurationError } from "@trainyard/core";
import type { TrainingClient } from "../client.ts";
import type { Model, Trajectory, TrajectoryException } from "../generated/schema.ts";
import { modelName, type ModelName } from "../model-name.ts";
import { gatherGroups, type Attempt, type GatheredGroup, type GatherOptions } from "../rollouts/gather-groups.ts";
import { passAtK } from "./pass-at-k.ts";

/** What a rollout of an evaluation gets besides its task. */
export interface EvaluationAttempt extends Attempt {
  /** The checkpoint that is evaluated, for chat completions. */
  readonly model: ModelName;
  /** The same for the same seed, task and attempt, whatever the checkpoint. Pass it to the chat completions. */
  readonly seed: number;
}

/** The options of `evaluate`. */
export interface EvaluateOptions<Task> extends Omit<GatherOptions, "attempts"> {
  readonly training: Pick<TrainingClient, "models">;
  readonly model: Pick<Model, "id" | "entity" | "project" | "name">;
  /** The step of the checkpoint. Default: the newest. */
  readonly step?: number;
  /** Held-out tasks, each with an id of its own. */
  readonly tasks: readonly Task[];
  /** One attempt, with `recordTrajectory` or without. What it throws counts as an exception, not as a reward. */
  readonly rollout: (task: Task, attempt: EvaluationAttempt) => Promise<Trajectory> | Trajectory;
  /** The number of attempts at each task. Default: 8. */
  readonly attempts?: number;
  /** Default: 0. */
  readonly seed?: number;
  /** Whether an attempt passed, for pass@k. Default: its metric `passed`, or a reward of at least 1. */
  readonly passed?: (trajectory: Trajectory) => boolean;
  /** The ids of tasks that the model was trained on. A task among them is refused: its reward shows memory too. */
  readonly trainedOn?: Iterable<string>;
  /** Evaluates tasks of `trainedOn` nevertheless, and names them in the result. Default: false. */
  readonly allowTrained?: boolean;
  /**
   * The split under which the rollouts are logged; null for none. Default: `val` for the newest step. Log joins the newest
   * checkpoint, so for an older step nothing is logged unless this names the step, such as `val-step8`.
   */
  readonly split?: string | null;
}

/** How a checkpoint did at a task. */
export interface EvaluatedTask {
  readonly id: string;
  /** The mean reward; null if no attempt has one. */
  readonly mean: number | null;
  /** In the order of the attempts, without those that failed. */
  readonly rewards: readonly number[];
  /** How many attempts passed. */
  readonly passed: number;
  readonly exceptions: readonly TrajectoryException[];
}

/** How a checkpoint did at its tasks. It is plain data, so it can be kept as JSON and compared later. */
export interface Evaluation {
  readonly step: number;
  readonly attempts: number;
  readonly seed: number;
  readonly tasks: readonly EvaluatedTask[];
  /** The mean of the tasks' means; null if no task has one. */
  readonly mean: number | null;
  /** The share of attempts that failed with an exception, 0 to 1. They have no reward and are in no mean. */
  readonly exceptionRate: number;
  /** pass@k, as a mean over the tasks with a mean: for k = 1 up to the smallest number of attempts that ended at one of them. */
  readonly passAt: Readonly<Record<number, number>>;
  /** The evaluated tasks that were also trained on. */
  readonly trainedOn: readonly string[];
  /** The split under which the rollouts were logged; null if they were not. */
  readonly split: string | null;
  /** Why they were not logged; null if they were. */
  readonly notLogged: string | null;
}

/**
 * Attempts held-out tasks with one checkpoint, and returns how it did. With the same tasks and seed for two checkpoints,
 * `compare` says whether the second is better.
 *
 * @throws {ConfigurationError} before any attempt, if there is no task, an id is missing or given twice, a task was also
 *   trained on, or `split` would put the figures of an older step onto the newest one.
 * @throws {AbortError} if the signal aborts.
 * @throws the error with which every attempt at the first eight tasks failed, if its status is the same 4xx.
 * @throws what the service answers to Log and to the list of checkpoints.
 */
export async function evaluate<Task extends { readonly id: string }>(
  options: EvaluateOptions<Task>,
): Promise<Evaluation> {
  const { training, model, tasks, rollout, attempts = 8, seed = 0, passed = hasPassed, signal } = options;
  const trainedOn = checkTasks(options);
  const newest = await newestStep(options);
  const { step = newest } = options;
  const refusal = reasonNotToLog(options, step, newest);
  if (typeof options.split === "string" && refusal !== null)
    throw new ConfigurationError(`split cannot be ${JSON.stringify(options.split)}. ${refusal}`);
  const name = modelName(model, { step });
  const groups = await gatherGroups(
    tasks,
    (task, attempt) => rollout(task, { ...attempt, model: name, seed: seedOf(seed, task.id, attempt.attempt) }),
    { ...options, attempts },
  );
  const results = groups.map((group, index) => resultOf(tasks[index]?.id ?? "", group, passed));
  // Training may have gone on meanwhile.
  const notLogged = reasonNotToLog(options, step, await newestStep(options));
  const split = notLogged === null ? (options.split ?? "val") : null;
  if (split !== null) {
    const logged = groups.map((group, index) => ({
      ...group,
      metadata: { task: tasks[index]?.id ?? "", eval_step: step },
    }));
    await training.models.log(model.id, { split, trajectory_groups: logged }, { signal });
  }
  const failed = results.reduce((sum, { exceptions }) => sum + exceptions.length, 0);
  return {
    step,
    attempts,
    seed,
    tasks: results,
    mean: meanOf(results.flatMap(({ mean }) => mean ?? [])),
    exceptionRate: failed / (tasks.length * attempts),
    passAt: passAtOf(results),
    trainedOn,
    split,
    notLogged,
  };
}

/** @returns the ids that were also trained on */
function checkTasks<Task extends { readonly id: string }>(options: EvaluateOptions<Task>): string[] {
  const ids = options.tasks.map(({ id }) => id);
  if (ids.length === 0) throw new ConfigurationError("There is nothing to evaluate: tasks is empty.");
  const wrong = ids.find((id, index) => typeof id !== "string" || id === "" || ids.indexOf(id) !== index);
  if (wrong !== undefined)
    throw new ConfigurationError(
      `Two tasks have the id ${JSON.stringify(wrong)}, or it is empty. Give each an id of its own.`,
    );
  const known = new Set(options.trainedOn);
  const trained = ids.filter((id) => known.has(id));
  if (trained.length === 0 || options.allowTrained === true) return trained;
  throw new ConfigurationError(
    `${trained.length} of ${ids.length} tasks were also trained on: ${trained.slice(0, 8).join(", ")}${trained.length > 8 ? ", …" : ""}. Leave them out, or set allowTrained.`,
  );
}

async function newestStep({
  training,
  model,
  signal,
}: Pick<EvaluateOptions<unknown>, "training" | "model" | "split" | "signal">): Promise<number> {
  const { data } = await training.models.checkpoints.list(model.id, { order: "desc", limit: 1 }, { signal });
  return data[0]?.step ?? 0;
}

/** Why the rollouts are not logged; null if they are. */
function reasonNotToLog(
  { split }: Pick<EvaluateOptions<unknown>, "training" | "model" | "split" | "signal">,
  step: number,
  newest: number,
): string | null {
  if (split === null) return "split is null.";
  if (step === newest || (split !== undefined && new RegExp(`(?<!\\d)${step}(?!\\d)`).test(split))) return null;
  return `Log joins the newest checkpoint, step ${newest}, so the figures of step ${step} would stand on it. Name a split of its own, such as val-step${step}.`;
}

function resultOf(id: string, { trajectories, exceptions }: GatheredGroup, passed: (one: Trajectory) => boolean) {
  const rewards = trajectories.map(({ reward = 0 }) => reward);
  return { id, mean: meanOf(rewards), rewards, passed: trajectories.filter(passed).length, exceptions };
}

function hasPassed({ metrics, reward = 0 }: Trajectory): boolean {
  const passed = metrics?.["passed"];
  return passed === undefined ? reward >= 1 : Boolean(passed);
}

function passAtOf(results: readonly EvaluatedTask[]): Record<number, number> {
  const tasks = results.filter(({ rewards }) => rewards.length > 0);
  const most = tasks.length === 0 ? 0 : Math.min(...tasks.map(({ rewards }) => rewards.length));
  const at = (k: number) => meanOf(tasks.map(({ rewards, passed }) => passAtK(rewards.length, passed, k))) ?? 0;
  return Object.fromEntries(Array.from({ length: most }, (_, index) => [index + 1, at(index + 1)]));
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A seed of 31 bits: FNV-1a over the text of all three, so that it depends on neither the order nor the other tasks. */
function seedOf(seed: number, id: string, attempt: number): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(`${seed} ${attempt} ${id}`)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 1;
}
