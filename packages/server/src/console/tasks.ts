import type { Reads, TaskDetail, TaskRange, TaskSummary, TaskSummaryPage } from "@trainyard/console";
import type { Context } from "../store/commands/context.ts";
import type { Database } from "../store/database.ts";
import { number, numberFrom, numberOrNull, text } from "../store/row.ts";
import { hasRun, type Asked } from "./context.ts";
import { sparkOf } from "./runs.ts";
import { splitsOf } from "./steps.ts";
import { changeOf, TaskAt, valueColumns } from "./task-values.ts";

type TaskQuery = Asked<Reads["/runs/{run_id}/tasks"]["query"]>;

/** How many values of a task are read. */
const mostValues = 500;

/** A task over the steps of a split. */
interface Task {
  readonly task: string;
  name: string;
  groups: number;
  /** The groups with at least two rewards, and those of them without a signal. */
  compared: number;
  flat: number;
  /** By step, oldest first. */
  readonly values: TaskAt[];
}

/** What each order compares, smallest first. */
const ranks: Readonly<Record<Exclude<TaskQuery["sort"], "name">, (task: Task, range: TaskRange) => number | null>> = {
  change: (task, range) => ends(task, range).change,
  "-change": (task, range) => negative(ends(task, range).change),
  mean: (task, range) => ends(task, range).now?.mean ?? null,
  "-mean": (task, range) => negative(ends(task, range).now?.mean ?? null),
  flat: ({ flat, compared }) => (compared === 0 ? null : flat / compared),
  "-flat": ({ flat, compared }) => (compared === 0 ? null : -flat / compared),
  "-attempts": ({ values }) => -values.reduce((sum, { attempts }) => sum + attempts, 0),
};

/** The tasks of a run. */
export function listTasks(
  { database }: Context,
  { id, q = "", sort, after, limit, ...query }: TaskQuery,
): TaskSummaryPage | "not-found" | "unknown-cursor" {
  if (!hasRun(database, id)) return "not-found";
  const range = rangeOf(database, id, query);
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const tasks = readTasks(database, id, range).filter(({ task, name }) =>
    words.every((word) => `${name} ${task}`.toLowerCase().includes(word)),
  );
  const rankOf = new Map(tasks.map((task) => [task, sort === "name" ? 0 : (ranks[sort](task, range) ?? Infinity)]));
  const ordered = tasks.toSorted(
    // The difference of two tasks without a value is not a number, which counts as none here.
    (a, b) => (rankOf.get(a) ?? 0) - (rankOf.get(b) ?? 0) || compareText(a.name, b.name) || compareText(a.task, b.task),
  );
  const start = after === undefined ? 0 : ordered.findIndex(({ task }) => task === after) + 1;
  if (after !== undefined && start === 0) return "unknown-cursor";
  const page = ordered.slice(start, start + limit);
  return {
    data: page.map((task) => summaryOf(task, range)),
    has_more: ordered.length > start + limit,
    total: ordered.length,
    ...range,
  };
}

/** One task with its value at each step. */
export function getTask(
  { database }: Context,
  { id, task: wanted, ...query }: Reads["/runs/{run_id}/tasks/{task}"]["query"] & { id: string; task: string },
): TaskDetail | "not-found" {
  const range = rangeOf(database, id, query);
  const [task] = readTasks(database, id, { ...range, to: Number.MAX_SAFE_INTEGER }, wanted);
  if (task === undefined) return "not-found";
  const values = task.values.map((value, at) => value.shown(task.values[at - 1]));
  return { summary: summaryOf(task, range), ...range, values: values.slice(-mostValues) };
}

/** By default the newest step, and the best one of each task before it. */
function rangeOf(
  database: Database,
  id: string,
  { split = splitsOf(database, id)[0] ?? "train", from, to }: Reads["/runs/{run_id}/tasks/{task}"]["query"],
): TaskRange {
  const last = "select max(step) from steps where model_id = :id and split = :split";
  return { split, from: from ?? null, to: to ?? numberFrom(database, last, { id, split }) };
}

/** The tasks of a split up to a step, or one of them. */
function readTasks(database: Database, id: string, { split, to }: TaskRange, wanted?: string): Task[] {
  const tasks = new Map<string, Task>();
  const rows = database.all(
    `select ${valueColumns} from groups
     where model_id = :id and step <= :to and split = :split and (:wanted is null or task = :wanted) order by step, key`,
    { id, split, to, wanted: wanted ?? null },
  );
  for (const row of rows) {
    const [key, step] = [text(row, "task"), number(row, "step")];
    let task = tasks.get(key);
    if (task === undefined) {
      task = { task: key, name: "", groups: 0, compared: 0, flat: 0, values: [] };
      tasks.set(key, task);
    }
    task.name = text(row, "name");
    task.groups++;
    if (number(row, "attempts") > 1) task.compared++;
    if (number(row, "attempts") > 1 && numberOrNull(row, "sd") === 0) task.flat++;
    if (task.values.at(-1)?.step !== step) task.values.push(new TaskAt(step));
    task.values.at(-1)?.add(row);
  }
  return [...tasks.values()];
}

/** The values of a task at the ends of a range. A task that was not seen after the first of them has not changed. */
function ends({ values }: Task, { from, to }: TaskRange) {
  const newest = (step: number) => values.findLast((value) => value.step <= step && value.attempts > 0);
  const now = newest(to);
  // Of equal means, the newest.
  const best = () =>
    values
      .filter(({ step, mean }) => mean !== null && step < (now?.step ?? 0))
      .reduce<TaskAt | undefined>((top, one) => ((one.mean ?? 0) >= (top?.mean ?? -Infinity) ? one : top), undefined);
  const before = from === null ? best() : newest(from);
  const changed = now === undefined || now === before ? { change: null, error: null } : changeOf(before, now);
  return { before, now, ...changed };
}

function summaryOf(task: Task, range: TaskRange): TaskSummary {
  const { name, groups, flat, compared, values } = task;
  const { before, now, change, error } = ends(task, range);
  return {
    task: task.task,
    name,
    groups,
    attempts: values.reduce((sum, { attempts }) => sum + attempts, 0),
    exceptions: values.reduce((sum, { exceptions }) => sum + exceptions, 0),
    flat_share: compared === 0 ? null : flat / compared,
    trend: sparkOf(values.flatMap(({ mean }) => mean ?? [])),
    before: before?.shown(undefined) ?? null,
    now: now === undefined ? null : { ...now.shown(undefined), change, error },
  };
}

function negative(value: number | null): number | null {
  return value === null ? null : -value;
}

/** The order of their characters, which is the same everywhere. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
