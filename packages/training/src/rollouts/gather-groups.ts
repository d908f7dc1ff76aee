import { ConfigurationError } from "@trainyard/core";
import type { Trajectory, TrajectoryException, TrajectoryGroup } from "../generated/schema.ts";
import { each } from "./gather-each.ts";

/** What a rollout gets besides its task. */
export interface Attempt {
  /** The index of the attempt at the task, from 0. */
  readonly attempt: number;
  /** Aborts when gathering ends early. Pass it to the calls of the rollout. */
  readonly signal: AbortSignal;
}

/** One attempt at a task, with `recordTrajectory` or without. */
export type Rollout<Task> = (task: Task, attempt: Attempt) => Promise<Trajectory> | Trajectory;

/** The tasks to attempt: a list, or an async iterable. */
export type Tasks<Task> = Iterable<Task> | AsyncIterable<Task>;

/** The progress of gathering. */
export interface GatherProgress {
  /** The number of attempts that have ended, including failed ones. */
  readonly done: number;
  readonly failed: number;
  /** The number of attempts; for an async iterable, of the tasks so far. */
  readonly total: number;
}

/** The options of `gatherGroups`. */
export interface GatherOptions {
  /** The number of attempts at each task, which is the size of a group. Default: 4. */
  attempts?: number;
  /** The number of rollouts that run at once. Default: 8. */
  concurrency?: number;
  /** Ends gathering with an {@link AbortError}. */
  signal?: AbortSignal | undefined;
  /** Called after each attempt. An error that it throws ends gathering. */
  onProgress?: (progress: GatherProgress) => void;
}

/** The options of `gatherGroups.each`. */
export interface GatherEachOptions extends GatherOptions {
  /** The number of finished groups that may wait to be read. While there are so many, no further task starts. Default: 4. */
  buffer?: number;
}

/** The attempts at one task: trajectories, and the exceptions of those that failed. */
export interface GatheredGroup extends TrajectoryGroup {
  trajectories: Trajectory[];
  exceptions: TrajectoryException[];
}

/** A group with the task that it attempted. */
export interface FinishedGroup<Task> extends GatheredGroup {
  /** The task, for your own records. It is not enumerable, so the group is sent without it. */
  readonly task: Task;
}

/** Attempts tasks several times each. */
export interface GatherGroups {
  /**
   * Attempts each task several times, and returns a group for each, in the order of the tasks and of the attempts. A rollout
   * that fails is listed in the `exceptions` of its group, and the others continue. If every attempt at the first eight tasks
   * fails with the same 4xx, such as 401 or 404, gathering ends with the first of these errors, because all others would fail
   * too. 408, 409 and 429 do not count, because they pass.
   *
   * @param tasks The tasks to attempt.
   * @param rollout One attempt, with `recordTrajectory` or without.
   * @returns The groups, for `models.log` and `trainingJobs.createRl`.
   * @throws {AbortError} at once if the signal aborts. The signals of running rollouts abort, and no other rollout starts.
   * @throws {ConfigurationError} if `attempts` or `concurrency` is not an integer of at least 1, or `tasks` is not iterable.
   * @throws the error with which every attempt at the first eight tasks failed, if its status is the same 4xx.
   */
  <Task>(tasks: Tasks<Task>, rollout: Rollout<Task>, options?: GatherOptions): Promise<GatheredGroup[]>;
  /**
   * The same, group by group: yields each group as soon as its last attempt has ended, in any order, so that a program can
   * log groups while other rollouts run. Tasks are read as they are needed. While `buffer` finished groups wait, no further
   * task starts. Leaving the loop aborts the running rollouts.
   *
   * @throws {AbortError} at once if the signal aborts.
   * @throws the error with which every attempt at the first eight tasks failed, if its status is the same 4xx.
   * @throws {ConfigurationError} if an option is not an integer of at least 1, or `tasks` is not iterable.
   */
  each<Task>(
    tasks: Tasks<Task>,
    rollout: Rollout<Task>,
    options?: GatherEachOptions,
  ): AsyncGenerator<FinishedGroup<Task>, undefined>;
}

async function gather<Task>(
  tasks: Tasks<Task>,
  rollout: Rollout<Task>,
  options?: GatherOptions,
): Promise<GatheredGroup[]> {
  const indexes = new Map<object, number>();
  // Groups are stored by the index of their task, so that their order does not depend on timing. A list is read at once,
  // before the first attempt.
  const all = Symbol.iterator in Object(tasks) ? [...(tasks as Iterable<Task>)] : tasks;
  const found: GatheredGroup[] = [];
  const note = (group: object, index: number): void => void indexes.set(group, index);
  for await (const group of each(all, rollout, { ...options, buffer: Infinity }, note)) found.push(group);
  const indexOf = (group: object): number => indexes.get(group) ?? 0;
  return found.toSorted((a, b) => indexOf(a) - indexOf(b));
}

/**
 * Rejects a value that is not an integer of at least 1.
 * @throws {@link ConfigurationError} naming the option.
 */
export function checkWhole(options: { readonly [name: string]: number }): void {
  for (const [name, value] of Object.entries(options))
    if (!((Number.isInteger(value) || (name === "buffer" && value === Infinity)) && value > 0))
      throw new ConfigurationError(`${name} must be a whole number of at least 1, not ${value}.`);
}

/** Attempts each task several times, and returns a group for each: all together, or with `each` one by one. */
export const gatherGroups: GatherGroups = Object.assign(gather, {
  each: <Task>(tasks: Tasks<Task>, rollout: Rollout<Task>, options?: GatherEachOptions) =>
    each(tasks, rollout, options),
});
