import type { Database, Value } from "../store/database.ts";
import { number, text } from "../store/row.ts";
import type { RunKey } from "./context.ts";
import { flagBits } from "./flags.ts";
import type { GroupFacts } from "./group-facts.ts";
import type { Steps } from "./steps.ts";

/** The origin of a group. */
export interface GroupPlace {
  readonly run: RunKey;
  /** `<seq>.<place>` of a log, with a `j` before it of a job. */
  readonly id: string;
  readonly source: "log" | "job";
  readonly step: number;
  readonly split: string;
  readonly created: number | null;
}

/** The groups of the index, with their attempts and the totals of each step. */
export class IndexedGroups {
  readonly #index: Database;
  readonly #steps: Steps;
  #nextGroup = 1;
  #nextRollout = 1;

  /** @param steps is notified of each group that is added or removed */
  constructor(index: Database, steps: Steps) {
    this.#index = index;
    this.#steps = steps;
  }

  /** Makes changes in one transaction. */
  change<T>(work: () => T): T {
    try {
      return this.#index.transaction(() => {
        this.#nextGroup = this.#nextKey("groups");
        this.#nextRollout = this.#nextKey("rollouts");
        return work();
      });
    } catch (error) {
      // The summaries in memory may include groups that were rolled back.
      this.#steps.clear();
      throw error;
    }
  }

  /** The group, of logs or of jobs, that has the same attempts, at most one step away. */
  find(run: number, source: "log" | "job", step: number, print: string): number | undefined {
    if (print === "") return undefined;
    const row = this.#index.get(
      `select key from groups where run = :run and print = :print and source = :source and abs(step - :step) <= 1
         and (flags & :trained) = :wanted order by key limit 1`,
      { run, print, source, step, trained: flagBits.trained, wanted: source === "job" ? flagBits.trained : 0 },
    );
    return row && number(row, "key");
  }

  /** Marks a group as used by a training job. */
  markTrained(key: number): void {
    const params = { key, trained: flagBits.trained };
    this.#index.run("update groups set flags = flags | :trained where key = :key", params);
    this.#index.run(`update rollouts set flags = flags | :trained where ${attemptsOf} and exception is null`, params);
  }

  /** Removes a group and its attempts. */
  delete(run: RunKey, key: number): void {
    const row = this.#index.get("select split, step from groups where key = :key", { key });
    if (row === undefined) return;
    this.#index.run(`delete from rollouts where ${attemptsOf}`, { key });
    this.#index.run("delete from groups where key = :key", { key });
    const of = { run: run.key, split: text(row, "split"), step: number(row, "step") };
    const where = "run = :run and split = :split and step = :step";
    this.#index.run(`delete from steps where ${where}`, of);
    this.#index.run(
      `insert into steps select run, split, step, count(*), sum(attempts), sum(exceptions), sum(mean * attempts), min(lo), max(hi)
       from groups where ${where} group by run, split, step`,
      of,
    );
    this.#steps.removed({ ...of, run: run.id });
  }

  /** @param extra flags to set in addition to those of the facts, on the group and on each attempt with a reward */
  add({ run, id, source, step, split, created }: GroupPlace, facts: GroupFacts, extra: number): void {
    const { task, name, mean, sd, lo, hi, attempts, print } = facts;
    const rewards = attempts.flatMap(({ reward }) => (reward === null ? [] : [reward]));
    const grp = this.#nextGroup++;
    const exceptions = attempts.length - rewards.length;
    this.#index.insert(insertGroup, [
      grp,
      run.key,
      id,
      source,
      step,
      split,
      task,
      name,
      rewards.length,
      mean,
      sd,
      lo,
      hi,
      exceptions,
      JSON.stringify(rewards),
      facts.flags | extra,
      created,
      print,
      this.#nextRollout,
    ]);
    const ofGroup = facts.flags & (flagBits.flat | flagBits.single);
    const total = mean === null ? null : mean * rewards.length;
    this.#index.insert(countGroup, [run.key, split, step, rewards.length, exceptions, total, lo, hi]);
    const rows = attempts.map((attempt, place): Value[] => {
      const { reward, advantage, tokens, turns, calls, finish, exception, preview, metrics, flags } = attempt;
      const bits = flags | (exception === null ? extra | ofGroup : 0);
      return [
        this.#nextRollout++,
        run.key,
        grp,
        place,
        step,
        split,
        reward,
        advantage,
        tokens,
        turns,
        calls,
        finish,
        exception,
        bits,
        preview,
        JSON.stringify(metrics),
      ];
    });
    let at = 0;
    for (; at + atOnce <= rows.length; at += atOnce) this.#index.insert(insertMany, rows.slice(at, at + atOnce).flat());
    for (const row of rows.slice(at)) this.#index.insert(insertOne, row);
    this.#steps.added({ run: run.id, split, step }, { attempts: rewards.length, mean, sd }, attempts);
  }

  #nextKey(table: "groups" | "rollouts"): number {
    const row = this.#index.get(`select coalesce(max(key), 0) + 1 as next from ${table}`);
    return row ? number(row, "next") : 1;
  }
}

const insertGroup = `insert into groups(key, run, id, source, step, split, task, name, attempts, mean, sd, lo, hi, exceptions,
  rewards, flags, created, print, first) values(${placeholders(19)})`;
const countGroup = `insert into steps(run, split, step, groups, attempts, exceptions, total, lo, hi) values(?, ?, ?, 1, ?, ?, ?, ?, ?)
  on conflict do update set groups = groups + 1, attempts = attempts + excluded.attempts,
    exceptions = exceptions + excluded.exceptions,
    total = iif(excluded.total is null, total, coalesce(total, 0) + excluded.total),
    lo = coalesce(min(lo, excluded.lo), lo, excluded.lo), hi = coalesce(max(hi, excluded.hi), hi, excluded.hi)`;
/** How many attempts are written by one statement: one each takes a third longer. */
const atOnce = 8;
const insertOne = insertRollouts(1);
const insertMany = insertRollouts(atOnce);

function insertRollouts(count: number): string {
  return `insert into rollouts(key, run, grp, place, step, split, reward, advantage, tokens, turns, calls, finish, exception,
    flags, preview, metrics) values ${Array.from({ length: count }, () => `(${placeholders(16)})`).join(", ")}`;
}

function placeholders(count: number): string {
  return Array.from({ length: count }, () => "?").join(", ");
}

/** The attempts of a group: their keys follow each other. */
const attemptsOf = `key >= (select first from groups where key = :key)
  and key < (select first + attempts + exceptions from groups where key = :key)`;
