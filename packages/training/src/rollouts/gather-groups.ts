import { AbortError, ConfigurationError } from "@trainyard/core";
import type { Trajectory, TrajectoryException, TrajectoryGroup } from "../generated/schema.ts";
import { exceptionOf } from "./exception.ts";

/** What a rollout is told beside its task. */
export interface Attempt {
  /** Which attempt at the task it is, from 0. */
  readonly attempt: number;
  /** Says that the gathering has ended early: give it to the calls of the rollout. */
  readonly signal: AbortSignal;
}

/** How far the gathering is. */
export interface GatherProgress {
  /** How many attempts have ended, those that failed among them. */
  readonly done: number;
  readonly failed: number;
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

/** The attempts at one task: trajectories, and the exceptions of those that failed. */
export interface GatheredGroup extends TrajectoryGroup {
  trajectories: Trajectory[];
  exceptions: TrajectoryException[];
}

/**
 * Attempts each task several times, and gives a group for each, in the order of the tasks and of the attempts. A rollout
 * that fails stands in the `exceptions` of its group, and the others go on.
 *
 * @param tasks What is to be attempted.
 * @param rollout One attempt, with `recordTrajectory` or without.
 * @returns The groups, for `models.log` and `trainingJobs.createRl`.
 * @throws {AbortError} at once when the signal says so; rollouts under way are told by theirs, and no other starts.
 * @throws {ConfigurationError} where `attempts` or `concurrency` is no whole number from 1.
 */
export async function gatherGroups<Task>(
  tasks: Iterable<Task>,
  rollout: (task: Task, attempt: Attempt) => Promise<Trajectory> | Trajectory,
  { attempts = 4, concurrency = 8, signal, onProgress }: GatherOptions = {},
): Promise<GatheredGroup[]> {
  for (const [name, value] of Object.entries({ attempts, concurrency }))
    if (!(Number.isInteger(value) && value > 0))
      throw new ConfigurationError(`${name} cannot be ${value}: it is a whole number from 1.`);

  // Each result at the place of its attempt, so that what ends first does not come first.
  const groups = [...tasks].map((task) => ({
    task,
    trajectories: new Map<number, Trajectory>(),
    exceptions: new Map<number, TrajectoryException>(),
  }));
  const total = groups.length * attempts;
  // All workers take from one iterator: who is done takes the next.
  const waiting = groups
    .flatMap((group) => Array.from({ length: attempts }, (_, attempt) => ({ group, attempt })))
    .values();
  let done = 0;
  let failed = 0;

  const ended = new AbortController();
  let end: (error: unknown) => void = () => {};
  const early = new Promise<never>((_, reject) => {
    end = (error) => {
      ended.abort(error);
      reject(error);
    };
  });

  const work = async (): Promise<void> => {
    for (const { group, attempt } of waiting) {
      if (ended.signal.aborted) return;
      try {
        group.trajectories.set(attempt, await rollout(group.task, { attempt, signal: ended.signal }));
      } catch (error) {
        group.exceptions.set(attempt, exceptionOf(error));
        failed++;
      }
      if (ended.signal.aborted) return;
      onProgress?.({ done: ++done, failed, total });
    }
  };

  const onAbort = (): void => end(new AbortError("gatherGroups was aborted.", {}, { cause: signal?.reason }));
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort);
  try {
    const workers = Array.from({ length: Math.min(concurrency, total) }, () => work().catch(end));
    await Promise.race([early, Promise.all(workers)]);
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
  return groups.map(({ trajectories, exceptions }) => ({
    trajectories: inOrder(trajectories),
    exceptions: inOrder(exceptions),
  }));
}

function inOrder<Result>(places: Map<number, Result>): Result[] {
  return [...places].toSorted(([a], [b]) => a - b).map(([, result]) => result);
}
