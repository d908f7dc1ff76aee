import { ConfigurationError } from "@trainyard/core";
import type { Trajectory, TrajectoryException, TrajectoryGroup } from "../generated/schema.ts";
import { each } from "./gather-each.ts";

/** What a rollout is told beside its task. */
export interface Attempt {
  /** Which attempt at the task it is, from 0. */
  readonly attempt: number;
  /** Says that the gathering has ended early: give it to the calls of the rollout. */
  readonly signal: AbortSignal;
}

/** One attempt at a task, with `recordTrajectory` or without. */
export type Rollout<Task> = (task: Task, attempt: Attempt) => Promise<Trajectory> | Trajectory;

/** What is to be attempted: a list, or tasks that come over time. */
export type Tasks<Task> = Iterable<Task> | AsyncIterable<Task>;

/** How far the gathering is. */
export interface GatherProgress {
  /** How many attempts have ended, those that failed among them. */
  readonly done: number;
  readonly failed: number;
  /** How many attempts there are; of tasks that come over time, at those that have come. */
  readonly total: number;
}

/** How rollouts are gathered. */
export interface GatherOptions {
  /** How many attempts there are at each task: the size of a group. Default 4. */
  attempts?: number;
  /** How many rollouts run at once. Default 8. */
  concurrency?: number;
  /** Ends it with an {@link AbortError}. */
  signal?: AbortSignal | undefined;
  /** Is called after each attempt. What it throws ends the gathering. */
  onProgress?: (progress: GatherProgress) => void;
}

/** How rollouts are gathered whose groups are taken one by one. */
export interface GatherEachOptions extends GatherOptions {
  /** How many finished groups may wait to be taken. While there are so many, no further task starts. Default 4. */
  buffer?: number;
}

/** The attempts at one task: trajectories, and the exceptions of those that failed. */
export interface GatheredGroup extends TrajectoryGroup {
  trajectories: Trajectory[];
  exceptions: TrajectoryException[];
}

/** A group with the task that it attempted. */
export interface FinishedGroup<Task> extends GatheredGroup {
  /** The task, for a program that notes what is done. It is not enumerable, so the group is sent without it. */
  readonly task: Task;
}

/** Attempts tasks several times each. */
export interface GatherGroups {
  /**
   * Attempts each task several times, and gives a group for each, in the order of the tasks and of the attempts. A rollout
   * that fails stands in the `exceptions` of its group, and the others go on.
   *
   * @param tasks What is to be attempted.
   * @param rollout One attempt, with `recordTrajectory` or without.
   * @returns The groups, for `models.log` and `trainingJobs.createRl`.
   * @throws {AbortError} at once when the signal says so; rollouts under way are told by theirs, and no other starts.
   * @throws {ConfigurationError} where `attempts` or `concurrency` is no whole number from 1, or `tasks` cannot be iterated.
   */
  <Task>(tasks: Tasks<Task>, rollout: Rollout<Task>, options?: GatherOptions): Promise<GatheredGroup[]>;
  /**
   * The same, group by group: each is given as soon as its last attempt has ended, in whatever order, so that a program logs
   * while other rollouts run. Tasks are taken as they are needed. While `buffer` finished groups wait, no further task starts.
   * Leaving the loop ends the rollouts that are under way, by their signal.
   *
   * @throws {AbortError} at once when the signal says so.
   * @throws {ConfigurationError} where an option is no whole number from 1, or `tasks` cannot be iterated.
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
  // Each group at the place of its task, so that what ends first does not come first. All tasks of a list are taken at once.
  const indexed = Symbol.iterator in Object(tasks) ? [...(tasks as Iterable<Task>)] : tasks;
  const found: GatheredGroup[] = [];
  const note = (group: object, index: number): void => void indexes.set(group, index);
  for await (const group of each(indexed, rollout, { ...options, buffer: Infinity }, note)) found.push(group);
  const indexOf = (group: object): number => indexes.get(group) ?? 0;
  return found.toSorted((a, b) => indexOf(a) - indexOf(b));
}

/**
 * Refuses a number that is none.
 * @throws {@link ConfigurationError} naming the option.
 */
export function checkWhole(options: { readonly [name: string]: number }): void {
  for (const [name, value] of Object.entries(options))
    if (!((Number.isInteger(value) || (name === "buffer" && value === Infinity)) && value > 0))
      throw new ConfigurationError(`${name} cannot be ${value}: it is a whole number from 1.`);
}

/** Attempts each task several times, and gives a group for each: all together, or with `each` one by one. */
export const gatherGroups: GatherGroups = Object.assign(gather, {
  each: <Task>(tasks: Tasks<Task>, rollout: Rollout<Task>, options?: GatherEachOptions) =>
    each(tasks, rollout, options),
});
