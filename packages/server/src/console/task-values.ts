import type { TaskValue } from "@trainyard/console";
import type { Row } from "../store/database.ts";
import { number, numberOrNull, text } from "../store/row.ts";
import { finite, json } from "./context.ts";
import { idIn } from "./groups.ts";

/** The columns of `groups` that a value is made of. */
export const valueColumns = "key, task, name, step, attempts, exceptions, mean, sd, rewards";

/** The attempts at a task at one step, or at several up to one: those of all its groups there. */
export class TaskAt {
  step: number;
  readonly groups: Row[] = [];
  attempts = 0;
  exceptions = 0;
  mean: number | null = null;
  /** The sum of the squared distances from the mean. */
  #squares = 0;

  constructor(step: number) {
    this.step = step;
  }

  /** The sample variance of the rewards; null for fewer than two, and for rewards that are too large for one. */
  get variance(): number | null {
    return this.attempts < 2 ? null : finite(this.#squares / (this.attempts - 1));
  }

  add(row: Row): void {
    this.groups.push(row);
    this.step = number(row, "step");
    this.exceptions += number(row, "exceptions");
    const [n, mean, sd] = [number(row, "attempts"), numberOrNull(row, "mean"), numberOrNull(row, "sd")];
    if (mean === null || sd === null) return;
    const before = this.attempts;
    this.attempts += n;
    const distance = mean - (this.mean ?? mean);
    this.mean = finite((this.mean ?? mean) + distance * (n / this.attempts));
    this.#squares += sd ** 2 * n + distance ** 2 * ((before * n) / this.attempts);
  }

  /** What a page shows of it, with the change since an earlier value. */
  shown(before: TaskAt | undefined): TaskValue {
    const last = this.groups.at(-1);
    return {
      id: last ? idIn(last) : "",
      step: this.step,
      attempts: this.attempts,
      exceptions: this.exceptions,
      mean: this.mean,
      rewards: this.groups.flatMap((row) => json<number[]>(row, "rewards")),
      ...changeOf(before, this),
    };
  }
}

/** The change of a task's mean, and its standard error: the attempts of the two values are independent. */
export function changeOf(before: TaskAt | undefined, now: TaskAt): Pick<TaskValue, "change" | "error"> {
  if (before === undefined) return { change: null, error: null };
  const [a, b] = [before.variance, now.variance];
  return {
    change: before.mean === null || now.mean === null ? null : finite(now.mean - before.mean),
    error: a === null || b === null ? null : finite(Math.sqrt(a / before.attempts + b / now.attempts)),
  };
}

/** Rows of `groups` at one step, by their tasks. */
export function byTask(rows: readonly Row[]): Map<string, TaskAt> {
  const found = new Map<string, TaskAt>();
  for (const row of rows) {
    const task = text(row, "task");
    const value = found.get(task) ?? new TaskAt(number(row, "step"));
    found.set(task, value);
    value.add(row);
  }
  return found;
}
