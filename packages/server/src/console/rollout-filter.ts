import type { ConsoleContext, RunKey } from "./context.ts";
import type { Flag } from "./flags.ts";
import { flagCondition } from "./groups.ts";

/** Which attempts of a run are meant. Ranges are `a..b`, with either end left out, or one value. */
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
  /** Words that all stand in the beginning of the last answer, or in the exception. */
  readonly text?: string;
}

/** The conditions that attempts of `rollouts` meet. */
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
    // With neither end given, those that have it.
    filter.add(`${column} is not null`);
    filter.range(column, query.metric.slice(at + 1));
  }
  if (query.flag !== undefined) filter.add(flagCondition(context, run, query.flag, "reward"));
  for (const word of (query.text ?? "").split(/\s+/).filter(Boolean)) {
    filter.add(`instr(lower(preview), lower(${filter.value(word)})) > 0`);
  }
  return filter;
}

/** Conditions in SQL, with what is told from outside as parameters alone. */
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

  /** The name of a parameter with that value. */
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
