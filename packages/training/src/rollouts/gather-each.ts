import { AbortError, ConfigurationError } from "@trainyard/core";
import type { Trajectory, TrajectoryException } from "../generated/schema.ts";
import { exceptionOf } from "./exception.ts";
import { checkWhole, type FinishedGroup, type GatherEachOptions, type Rollout, type Tasks } from "./gather-groups.ts";

/** A running task. Its results are stored by the index of their attempt, so that their order does not depend on timing. */
interface Running<Task> {
  readonly task: Task;
  readonly index: number;
  readonly trajectories: Map<number, Trajectory>;
  readonly exceptions: Map<number, TrajectoryException>;
  left: number;
}

// If every attempt at this many first tasks is refused with the same status, so are all others.
const telling = 8;

/** The status of an error that another task would get too: a 4xx, except those that pass. */
function refusalOf(error: unknown): number | undefined {
  const { status } = Object(error);
  return status >= 400 && status < 500 && ![408, 409, 429].includes(status) ? status : undefined;
}

/** Attempts tasks as described at `gatherGroups.each`. `note` is called with the index of each group's task. */
export async function* each<Task>(
  tasks: Tasks<Task>,
  rollout: Rollout<Task>,
  { attempts = 4, concurrency = 8, buffer = 4, signal, onProgress }: GatherEachOptions = {},
  note?: (group: object, index: number) => void,
): AsyncGenerator<FinishedGroup<Task>, undefined> {
  checkWhole({ attempts, concurrency, buffer });
  const source = iteratorOf(tasks);
  const ended = new AbortController();
  const finished: FinishedGroup<Task>[] = [];
  const waiting: { group: Running<Task>; attempt: number }[] = [];
  let taken = 0;
  let running = 0;
  let done = 0;
  let failed = 0;
  let refused: { readonly error: unknown; count: number } | undefined;
  let pulling = false;
  let exhausted = false;
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};

  const end = (error: unknown): void => {
    failure ??= { error };
    ended.abort(error);
    wake();
  };

  const attemptOf = async (group: Running<Task>, attempt: number): Promise<void> => {
    try {
      group.trajectories.set(attempt, await rollout(group.task, { attempt, signal: ended.signal }));
    } catch (error) {
      group.exceptions.set(attempt, exceptionOf(error));
      failed++;
      if (group.index < telling && refusalOf(error) !== undefined) {
        refused ??= { error, count: 0 };
        if (refusalOf(error) === refusalOf(refused.error)) refused.count++;
        if (refused.count === telling * attempts) end(refused.error);
      }
    }
    running--;
    if (ended.signal.aborted) return;
    const total = (Array.isArray(tasks) ? tasks.length : taken) * attempts;
    onProgress?.({ done: ++done, failed, total });
    if (--group.left > 0) return;
    const whole = { trajectories: inOrder(group.trajectories), exceptions: inOrder(group.exceptions) };
    note?.(whole, group.index);
    finished.push(Object.defineProperty(whole, "task", { value: group.task }) as FinishedGroup<Task>);
  };

  const take = ({ done, value }: IteratorResult<Task, unknown>): void => {
    if (done) {
      exhausted = true;
      return;
    }
    const group = { task: value, index: taken++, trajectories: new Map(), exceptions: new Map(), left: attempts };
    for (let attempt = 0; attempt < attempts; attempt++) waiting.push({ group, attempt });
  };

  const takeLater = async (pulled: Promise<IteratorResult<Task, unknown>>): Promise<void> => {
    pulling = true;
    try {
      take(await pulled);
    } catch (error) {
      end(error);
    }
    pulling = false;
    advance();
  };

  // Starts as many attempts as permitted. Called whenever one has ended, also while no group is requested.
  const advance = (): void => {
    while (!ended.signal.aborted && running < concurrency) {
      const next = waiting.shift();
      if (next) {
        running++;
        void attemptOf(next.group, next.attempt).catch(end).then(advance);
      } else if (pulling || exhausted || finished.length >= buffer) break;
      else {
        const pulled = source.next();
        if (pulled instanceof Promise) void takeLater(pulled);
        else take(pulled);
      }
    }
    wake();
  };

  const onAbort = (): void => end(new AbortError("gatherGroups was aborted.", {}, { cause: signal?.reason }));
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort);
  try {
    for (;;) {
      advance();
      if (failure) throw failure.error;
      const group = finished.shift();
      if (group) yield group;
      else if (exhausted && running + waiting.length === 0) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    ended.abort(failure?.error ?? new AbortError("gatherGroups was left."));
    // Tells the iterator of the tasks that no more are needed, without waiting for it, because it may be waiting itself.
    if (!exhausted) void Promise.resolve(source.return?.()).catch(() => {});
  }
}

function iteratorOf<Task>(tasks: Tasks<Task>): Iterator<Task, unknown> | AsyncIterator<Task, unknown> {
  const { [Symbol.asyncIterator]: later, [Symbol.iterator]: now } = Object(tasks);
  const iterate = now ?? later;
  if (typeof iterate === "function") return Reflect.apply(iterate, tasks, []);
  throw new ConfigurationError("tasks is not iterable. Pass a list, or an async iterable.");
}

function inOrder<Result>(results: Map<number, Result>): Result[] {
  return [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result);
}
