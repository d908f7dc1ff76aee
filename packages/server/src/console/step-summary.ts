import type { Database, Row } from "../store/database.ts";
import { number, numberFrom, numberOrNull, text } from "../store/row.ts";
import type { Field } from "./attempt-field.ts";
import { json } from "./context.ts";

/** The summary of one split's groups at a step, or at several steps that are shown as one. */
export class StepSummary {
  /** How many groups were looked at. */
  seen = 0;
  /** How many of them have an attempt that counts. */
  groups = 0;
  /** Groups whose rewards can be compared: with at least two. */
  compared = 0;
  exceptions = 0;
  /** The key of the group that was added last. */
  last = -1;
  /** The means of the groups without a signal: those with at least two rewards that are all the same. */
  readonly flatMeans: number[] = [];
  readonly rewards: number[] = [];
  readonly metrics: Map<string, Sum> = new Map();
  /** The rewards by the value that attempts are told apart by; undefined for those without it. */
  readonly parts: Map<string | undefined, Sum> = new Map();
  /** The rewards of each task. */
  readonly tasks: Map<string, Sum> = new Map();
  readonly #total = new Sum();
  readonly #deviations = new Sum();
  #tokens: number[] = [];
  #isSorted = true;

  get mean(): number | null {
    return this.#total.mean;
  }

  /** The mean of the deviations of the groups with at least two. */
  get sd(): number | null {
    return this.#deviations.mean;
  }

  /** The known numbers of tokens, in ascending order. */
  get tokens(): ArrayLike<number> {
    if (!this.#isSorted) this.#tokens.sort((a, b) => a - b);
    this.#isSorted = true;
    return this.#tokens;
  }

  /** Adds the attempts of a row of `groups` that a selection accepts. */
  add(row: Row, { accepts, by }: Selection = all): void {
    this.seen++;
    this.last = number(row, "key");
    const size = number(row, "attempts");
    const isRight = accepts?.(row) ?? (() => true);
    const places = Array.from({ length: size + number(row, "exceptions") }, (_, place) => place).filter(isRight);
    if (accepts !== undefined && places.length === 0) return;
    this.groups++;
    this.#isSorted = false;
    const ofTask = sumIn(this.tasks, text(row, "task"));
    const [rewards, tokens] = [json<number[]>(row, "rewards"), json<(number | null)[]>(row, "tokens")];
    const valueAt = by?.at(row);
    for (const place of places) {
      const reward = rewards[place];
      if (tokens[place] != null) this.#tokens.push(tokens[place]);
      if (reward === undefined) {
        this.exceptions++;
        continue;
      }
      this.rewards.push(reward);
      this.#total.add(reward);
      ofTask.add(reward);
      if (valueAt === undefined) continue;
      const value = valueAt(place) ?? undefined;
      sumIn(this.parts, value === undefined ? undefined : String(value)).add(reward);
    }
    for (const [name, values] of Object.entries(json<Record<string, (number | null)[]>>(row, "metrics", {}))) {
      const sum = sumIn(this.metrics, name);
      // Not always a list: see `group-facts.ts`.
      for (const [place, value] of Object.entries(values)) if (value !== null && isRight(Number(place))) sum.add(value);
    }
    const [mean, sd] = [numberOrNull(row, "mean"), numberOrNull(row, "sd")];
    if (size < 2 || mean === null || sd === null) return;
    this.compared++;
    this.#deviations.add(sd);
    if (sd === 0) this.flatMeans.push(mean);
  }

  /** The summary of rows of `groups`. */
  static from(rows: readonly Row[]): StepSummary {
    const summary = new StepSummary();
    for (const row of rows) summary.add(row);
    return summary;
  }

  /** What a curve shows of several steps as one. */
  static of(parts: readonly StepSummary[]): StepSummary {
    const [first] = parts;
    if (first !== undefined && parts.length === 1) return first;
    const all = new StepSummary();
    all.#isSorted = false;
    for (const part of parts) {
      all.compared += part.compared;
      all.exceptions += part.exceptions;
      for (const reward of part.rewards) all.rewards.push(reward);
      for (const mean of part.flatMeans) all.flatMeans.push(mean);
      for (const count of part.#tokens) all.#tokens.push(count);
      all.#total.include(part.#total);
      all.#deviations.include(part.#deviations);
      for (const [name, sum] of part.metrics) sumIn(all.metrics, name).include(sum);
      for (const [value, sum] of part.parts) sumIn(all.parts, value).include(sum);
    }
    return all;
  }
}

/** Which attempts count, and by which of their values they are told apart. */
export interface Selection {
  /** Identifies the selection. */
  readonly name: string;
  /** Further columns of `groups` that it reads. */
  readonly columns: readonly string[];
  readonly accepts?: (row: Row) => (place: number) => boolean;
  readonly by?: Field;
}

const all: Selection = { name: "", columns: [] };

export function sumIn<K>(sums: Map<K, Sum>, name: K): Sum {
  const sum = sums.get(name) ?? new Sum();
  sums.set(name, sum);
  return sum;
}

/** What is known of a run, so that an update reads only what is new. */
interface Known {
  /** How many of its groups and jobs were replaced: then all are read again. */
  readonly replaced: number;
  readonly summaries: Map<string, StepSummary>;
  /** The figures of its completed jobs by the step that a job created, with how many jobs there were. */
  training?: { readonly jobs: number; readonly figures: ReadonlyMap<number, Readonly<Record<string, number | null>>> };
}

const knownOf = new WeakMap<Database, Map<string, Known>>();
/** How many runs stay known. A run of 10⁵ attempts takes a few megabytes. */
const mostRuns = 8;

/** What is known of a run by the attempts of a selection. */
export function known(database: Database, id: string, selection: Selection = all): Known {
  const runs = knownOf.get(database) ?? new Map<string, Known>();
  knownOf.set(database, runs);
  const replaced = numberFrom(database, "select replaced from models where id = :id", { id });
  const name = `${id} ${selection.name}`;
  const last = runs.get(name);
  const run: Known = last?.replaced === replaced ? last : { replaced, summaries: new Map() };
  runs.delete(name);
  const [oldest] = runs.size < mostRuns ? [] : runs.keys();
  if (oldest !== undefined) runs.delete(oldest);
  runs.set(name, run);
  return run;
}

/** The summaries of a split's steps, in their order. */
export function summariesOf(
  database: Database,
  id: string,
  split: string,
  selection: Selection = all,
): Map<number, StepSummary> {
  const { summaries } = known(database, id, selection);
  const found = new Map<number, StepSummary>();
  const steps = "select step, groups from steps where model_id = :id and split = :split order by step";
  for (const row of database.all(steps, { id, split })) {
    const [step, groups] = [number(row, "step"), number(row, "groups")];
    const name = `${split} ${step}`;
    let summary = summaries.get(name) ?? new StepSummary();
    const of = { id, split, step };
    addNew(database, of, summary, groups, selection);
    // Groups of a log come before those of a job that was there already, and those of older data before new ones.
    if (summary.seen !== groups) addNew(database, of, (summary = new StepSummary()), groups, selection);
    summaries.set(name, summary);
    found.set(step, summary);
  }
  return found;
}

function addNew(
  database: Database,
  of: { id: string; split: string; step: number },
  summary: StepSummary,
  groups: number,
  selection: Selection,
): void {
  if (summary.seen === groups) return;
  const columns = new Set([...columnsOfAll, ...selection.columns]);
  const rows = database.all(
    `select ${[...columns].join()} from groups
     where model_id = :id and step = :step and split = :split and key > :last order by key`,
    { ...of, last: summary.last },
  );
  for (const row of rows) summary.add(row, selection);
}

const columnsOfAll = "key task attempts exceptions mean sd rewards tokens metrics".split(" ");

/** The value below which a share of sorted values lies: the nearest rank. */
export function percentile(sorted: ArrayLike<number>, share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

/** A factor that keeps sums of rewards near 1e308 finite, and changes no digit: a power of two. */
const scale = 2 ** -64;

/** A sum of values, with their number and mean. */
export class Sum {
  #total = 0;
  #squares = 0;
  count = 0;

  get mean(): number | null {
    return this.count === 0 ? null : this.#total / this.count / scale;
  }

  /** The squares around the mean; not a number for rewards near the largest one. */
  get within(): number {
    return Math.max(0, this.#squares - this.count * (this.mean ?? 0) ** 2);
  }

  add(value: number): void {
    this.#total += value * scale;
    this.#squares += value * value;
    this.count++;
  }

  include(other: Sum): void {
    this.#total += other.#total;
    this.#squares += other.#squares;
    this.count += other.count;
  }

  static of(parts: readonly Sum[]): Sum {
    const all = new Sum();
    for (const part of parts) all.include(part);
    return all;
  }
}
