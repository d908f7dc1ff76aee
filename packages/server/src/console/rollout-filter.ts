import type { Flag } from "./flags.ts";
import { attemptFlags, flagCondition } from "./groups.ts";

/** A filter of attempts. A range is `a..b`, where either end may be omitted, or one value. */
export interface RolloutFilter {
  readonly id: string;
  readonly step?: string;
  readonly split?: string;
  readonly task?: string;
  readonly reward?: string;
  readonly tokens?: string;
  readonly tool_calls?: string;
  /** `name:a..b`. */
  readonly metric?: string;
  readonly flag?: Flag;
  readonly finish?: string;
  /** Words that must all be in the beginning of the last answer, or in the exception. */
  readonly text?: string;
}

/** The conditions for attempts, joined with their groups. */
export function conditionsOf(query: RolloutFilter, middle: number): Conditions {
  const filter = new Conditions(query.id);
  filter.equal("split", query.split);
  filter.equal("finish", query.finish);
  filter.equal("task", query.task);
  filter.range("step", query.step);
  filter.range("reward", query.reward);
  filter.range("rollouts.tokens", query.tokens);
  filter.range("calls", query.tool_calls);
  if (query.metric !== undefined) {
    const at = query.metric.lastIndexOf(":");
    const path = filter.value(`$.${JSON.stringify(query.metric.slice(0, at))}`);
    const column = `json_extract(rollouts.metrics, ${path})`;
    const range = query.metric.slice(at + 1);
    // Without either end, every attempt that has a value matches.
    if (range === "" || range === "..") filter.add(`${column} is not null`);
    filter.range(column, range);
  }
  if (query.flag !== undefined) filter.add(flagCondition(query.flag, middle, attemptFlags, "reward"));
  for (const word of (query.text ?? "").split(/\s+/).filter(Boolean)) {
    filter.add(`instr(lower(preview), lower(${filter.value(word)})) > 0`);
  }
  return filter;
}

/** Conditions in SQL. All values of a request are parameters. */
export class Conditions {
  readonly params: Record<string, string | number> = {};
  readonly #conditions: string[];
  #count = 0;

  constructor(id: string) {
    this.#conditions = ["model_id = :id"];
    this.params["id"] = id;
  }

  get where(): string {
    return this.#conditions.join(" and ");
  }

  add(condition: string): void {
    this.#conditions.push(condition);
  }

  /** The name of a parameter with this value. */
  value(value: string | number): string {
    const name = `p${this.#count++}`;
    this.params[name] = value;
    return `:${name}`;
  }

  equal(column: string, value: string | undefined): void {
    if (value !== undefined) this.add(`${column} = ${this.value(value)}`);
  }

  range(column: string, range: string | undefined): void {
    if (range === undefined) return;
    const [from = "", to = from] = range.split("..");
    if (from !== "") this.add(`${column} >= ${this.value(Number(from))}`);
    if (to !== "") this.add(`${column} <= ${this.value(Number(to))}`);
  }
}
