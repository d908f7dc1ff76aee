import type { GroupFigures, StepFigures } from "./history.ts";

/** How a figure of one task changed. */
export interface TaskChange {
  readonly task: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly change: number;
  /** The standard error of the change. */
  readonly error: number;
  /** Its share of the attempts. */
  readonly weight: number;
}

/** How a figure changed between two parts of a run. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly change: number;
  /** The standard error of the change. */
  readonly error: number;
  /** How large a change has to be before it is taken for more than chance. */
  readonly least: number;
  /** The tasks of both parts; empty if the parts have too few tasks in common, and all groups are compared instead. */
  readonly tasks: readonly TaskChange[];
}

/** A value for each attempt of a group; attempts without one are left out. */
export type ValuesOf = (group: GroupFigures) => readonly (number | null | undefined)[];

/** The values of a task, as sums. `groups` has the mean of each group with its number of values. */
class Sums {
  readonly groups: { mean: number; n: number }[] = [];
  n = 0;
  total = 0;
  squares = 0;
  low = Infinity;
  high = -Infinity;

  add(values: readonly number[]): void {
    if (values.length === 0) return;
    let total = 0;
    for (const value of values) {
      total += value;
      this.squares += value * value;
      this.low = Math.min(this.low, value);
      this.high = Math.max(this.high, value);
    }
    this.groups.push({ mean: total / values.length, n: values.length });
    this.n += values.length;
    this.total += total;
  }

  get mean(): number {
    return this.total / this.n;
  }

  /** The squares around the mean. */
  get within(): number {
    return Math.max(0, this.squares - this.n * this.mean ** 2);
  }

  /** The squares of the means of groups around the mean of these means. */
  get between(): number {
    const mean = this.groups.reduce((sum, group) => sum + group.mean, 0) / this.groups.length;
    return this.groups.reduce((sum, group) => sum + (group.mean - mean) ** 2, 0);
  }
}

/** How many of a task's newest groups are its earlier value. */
const newest = 3;

/**
 * Compares a figure of the last steps with the steps before them, task by task. Of a task that is not in each step, its
 * newest earlier groups are the earlier value. If most attempts are at tasks without an earlier value, all groups of both
 * parts are compared instead, and differ by their tasks, too.
 *
 * The error is that of the attempts, or that of the means of a task's groups if these lie further apart than chance has
 * them. `least` is four errors, and more if few attempts had to estimate them: a rule that looks at a thousand steps is
 * then mistaken about less than once in ten thousand looks.
 *
 * @returns undefined if there is too little to estimate an error from
 */
export function changeOf(
  before: readonly StepFigures[],
  after: readonly StepFigures[],
  valuesOf: ValuesOf,
): Change | undefined {
  const [earlier, later] = [sumsOf(before.toReversed(), valuesOf, newest), sumsOf(after, valuesOf, Infinity)];
  const all = total(later.values());
  const common = [...later].flatMap(([task, to]) => {
    const from = earlier.get(task);
    return from === undefined ? [] : [{ task, name: to.name, from: from.sums, to: to.sums }];
  });
  const n = common.reduce((sum, { to }) => sum + to.n, 0);
  if (n * 2 <= all.n || all.n === 0)
    return unpaired(total(sumsOf(before.slice(-newest), valuesOf, Infinity).values()), all);
  const sides = common.flatMap(({ from, to }) => [from, to]);
  // One more value, half of the range away, so that a few equal values do not count as certainty.
  const low = sides.reduce((least, side) => Math.min(least, side.low), Infinity);
  const high = sides.reduce((most, side) => Math.max(most, side.high), -Infinity);
  const [freedom, within] = [
    sum(sides, (side) => side.n - 1) + 1,
    sum(sides, (side) => side.within) + (high - low) ** 2 / 4,
  ];
  const [apart, between] = [sum(sides, ({ groups }) => groups.length - 1), sum(sides, (side) => side.between)];
  if (freedom < 4) return undefined;
  const tasks = common.map(({ task, name, from, to }): TaskChange => {
    const ofAttempts = (within / freedom) * (1 / from.n + 1 / to.n);
    const ofGroups = apart < 4 ? 0 : (between / apart) * (1 / from.groups.length + 1 / to.groups.length);
    const error = Math.sqrt(Math.max(ofAttempts, ofGroups));
    return { task, name, from: from.mean, to: to.mean, change: to.mean - from.mean, error, weight: to.n / n };
  });
  const mean = (of: (task: TaskChange) => number) => sum(tasks, (task) => task.weight * of(task));
  const error = Math.sqrt(sum(tasks, (task) => (task.weight * task.error) ** 2));
  const least = error * quantile(apart < 4 ? freedom : Math.min(freedom, apart));
  return {
    from: mean(({ from }) => from),
    to: mean(({ to }) => to),
    change: mean(({ change }) => change),
    error,
    least,
    tasks,
  };
}

function unpaired(before: Sums, after: Sums): Change | undefined {
  const [from, to] = [before, after].map(({ groups, between }) => ({ m: groups.length, squares: between }));
  if (from === undefined || to === undefined || from.m < 2 || to.m < 2) return undefined;
  const freedom = from.m + to.m - 2;
  const error = Math.sqrt(((from.squares + to.squares) / freedom) * (1 / from.m + 1 / to.m));
  const least = error * quantile(freedom);
  return { from: before.mean, to: after.mean, change: after.mean - before.mean, error, least, tasks: [] };
}

/** The values of each task, of as many of its first groups as are wanted. */
function sumsOf(steps: readonly StepFigures[], valuesOf: ValuesOf, most: number) {
  const tasks = new Map<string, { readonly name: string; readonly sums: Sums; readonly steps: Set<number> }>();
  for (const { step, groups } of steps) {
    for (const group of groups) {
      const values = valuesOf(group).filter((value) => value != null);
      if (values.length === 0) continue;
      const known = tasks.get(group.task) ?? { name: group.name, sums: new Sums(), steps: new Set<number>() };
      tasks.set(group.task, known);
      if (known.steps.size >= most && !known.steps.has(step)) continue;
      known.steps.add(step);
      known.sums.add(values);
    }
  }
  return tasks;
}

function total(tasks: Iterable<{ readonly sums: Sums }>): Sums {
  const all = new Sums();
  for (const { sums } of tasks) {
    for (const group of sums.groups) all.groups.push(group);
    all.n += sums.n;
    all.total += sums.total;
    all.squares += sums.squares;
  }
  return all;
}

export function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((all, item) => all + of(item), 0);
}

/** The quantile of Student's t for the chance of four standard errors on one side (Cornish and Fisher's series). */
function quantile(freedom: number): number {
  const z = 4;
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
}
