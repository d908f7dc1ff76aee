import type { ConsoleContext, RunKey } from "./context.ts";
import type { Flag } from "./flags.ts";
import { flagCondition } from "./groups.ts";

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

/** The conditions for rows of `rollouts`. */
export function conditionsOf(context: ConsoleContext, run: RunKey, query: RolloutFilter): Conditions {
  const filter = new Conditions(run.key);
  filter.equal("split", query.split);
  filter.equal("finish", query.finish);
  filter.range("rollouts.step", query.step);
  filter.range("reward", query.reward);
  filter.range("tokens", query.tokens);
  filter.range("calls", query.tool_calls);
  if (query.task !== undefined) {
    filter.add(`grp in (select key from groups where run = :run and task = ${filter.value(query.task)})`);
  }
  if (query.metric !== undefined) {
    const at = query.metric.lastIndexOf(":");
    const path = filter.value(`$.${JSON.stringify(query.metric.slice(0, at))}`);
    const column = `json_extract(rollouts.metrics, ${path})`;
    // Without either end, every attempt that has a value matches.
    filter.add(`${column} is not null`);
    filter.range(column, query.metric.slice(at + 1));
  }
  if (query.flag !== undefined) filter.add(flagCondition(context, run, query.flag, "reward"));
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

  constructor(run: number) {
    this.#conditions = ["rollouts.run = :run"];
    this.params["run"] = run;
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
