import type { Database, Row } from "../store/database.ts";
import { number, numberOrNull, text } from "../store/row.ts";
import { json } from "./context.ts";

/** The summary of one split's groups at a step, or at several steps that are shown as one. */
export class StepSummary {
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
  readonly tasks: Set<string> = new Set();
  /** The flags of the attempts that have any. */
  readonly marks: number[] = [];
  /** The types of the exceptions. */
  readonly thrown: string[] = [];
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

  /** Adds a row of `groups`. */
  add(row: Row): void {
    this.groups++;
    this.exceptions += number(row, "exceptions");
    this.last = number(row, "key");
    this.tasks.add(text(row, "task"));
    for (const reward of json<number[]>(row, "rewards")) {
      this.rewards.push(reward);
      this.#total.add(reward);
    }
    this.#addTokens(json(row, "tokens"));
    for (const mark of json<number[]>(row, "marks", [])) if (mark !== 0) this.marks.push(mark);
    for (const type of json<string[]>(row, "thrown", [])) this.thrown.push(type);
    for (const [name, values] of Object.entries(json<Record<string, (number | null)[]>>(row, "metrics", {}))) {
      const sum = this.#metric(name);
      // Not always a list: see `group-facts.ts`.
      for (const value of Object.values(values)) if (value !== null) sum.add(value);
    }
    const [mean, sd] = [numberOrNull(row, "mean"), numberOrNull(row, "sd")];
    if (number(row, "attempts") < 2 || mean === null || sd === null) return;
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
    for (const part of parts) {
      all.compared += part.compared;
      all.exceptions += part.exceptions;
      for (const reward of part.rewards) all.rewards.push(reward);
      for (const mean of part.flatMeans) all.flatMeans.push(mean);
      all.#addTokens(part.#tokens);
      all.#total.include(part.#total);
      all.#deviations.include(part.#deviations);
      for (const [name, sum] of part.metrics) all.#metric(name).include(sum);
    }
    return all;
  }

  #addTokens(counts: readonly (number | null)[]): void {
    for (const count of counts) if (count !== null) this.#tokens.push(count);
    this.#isSorted = false;
  }

  #metric(name: string): Sum {
    const sum = this.metrics.get(name) ?? new Sum();
    this.metrics.set(name, sum);
    return sum;
  }
}

/** What is known of a run's groups, so that an update reads only those that are new. */
interface Known {
  /** How many of its groups were replaced: then all are read again. */
  readonly replaced: number;
  readonly summaries: Map<string, StepSummary>;
}

const knownOf = new WeakMap<Database, Map<string, Known>>();
/** How many runs stay known. A run of 10⁵ attempts takes a few megabytes. */
const mostRuns = 8;

/** The summaries of a split's steps, in their order. */
export function summariesOf(database: Database, id: string, split: string): Map<number, StepSummary> {
  const runs = knownOf.get(database) ?? new Map<string, Known>();
  knownOf.set(database, runs);
  const model = database.get("select replaced from models where id = :id", { id });
  const replaced = model ? number(model, "replaced") : 0;
  const last = runs.get(id);
  const run = last?.replaced === replaced ? last : { replaced, summaries: new Map<string, StepSummary>() };
  runs.delete(id);
  const [oldest] = runs.size < mostRuns ? [] : runs.keys();
  if (oldest !== undefined) runs.delete(oldest);
  runs.set(id, run);
  const found = new Map<number, StepSummary>();
  const steps = "select step, groups from steps where model_id = :id and split = :split order by step";
  for (const row of database.all(steps, { id, split })) {
    const [step, groups] = [number(row, "step"), number(row, "groups")];
    const name = `${split} ${step}`;
    let summary = run.summaries.get(name) ?? new StepSummary();
    addNew(database, { id, split, step }, summary, groups);
    // Groups of a log come before those of a job that was there already, and those of older data before new ones.
    if (summary.groups !== groups) addNew(database, { id, split, step }, (summary = new StepSummary()), groups);
    run.summaries.set(name, summary);
    found.set(step, summary);
  }
  return found;
}

function addNew(
  database: Database,
  of: { id: string; split: string; step: number },
  summary: StepSummary,
  groups: number,
): void {
  if (summary.groups === groups) return;
  const rows = database.all(
    `select key, task, attempts, exceptions, mean, sd, rewards, tokens, marks, thrown, metrics from groups
     where model_id = :id and step = :step and split = :split and key > :last order by key`,
    { ...of, last: summary.last },
  );
  for (const row of rows) summary.add(row);
}

/** The value below which a share of sorted values lies: the nearest rank. */
export function percentile(sorted: ArrayLike<number>, share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

/** What values are multiplied by in a sum: a power of two changes no digit, and the sum of the largest numbers is a number. */
const scale = 2 ** -24;

class Sum {
  #total = 0;
  #count = 0;

  get mean(): number | null {
    return this.#count === 0 ? null : this.#total / this.#count / scale;
  }

  add(value: number): void {
    this.#total += value * scale;
    this.#count++;
  }

  include(other: Sum): void {
    this.#total += other.#total;
    this.#count += other.#count;
  }
}
