import { flagBits } from "../../console/flags.ts";
import type { GroupFacts } from "../../console/group-facts.ts";
import type { Database, Value } from "../database.ts";
import { number, text } from "../row.ts";

/** The log or the job that has a group. */
interface Origin {
  readonly modelId: string;
  /** Its sequence number. */
  readonly seq: number;
  readonly step: number;
  readonly created: number | null;
}

interface GroupOrigin extends Origin {
  readonly source: "log" | "job";
  readonly split: string;
}

/**
 * Adds the rows of a log's groups. A client may train before it logs: the group of a job that has the same attempts is
 * then replaced.
 */
export function addLogged(
  database: Database,
  log: Origin & { readonly split: string },
  groups: readonly GroupFacts[],
): void {
  const origin = { ...log, source: "log" } as const;
  const { modelId, step } = log;
  const near = { modelId, step };
  const anyOfJob = database.get(`select 1 from groups where ${nearby} and source = 'job' limit 1`, near) !== undefined;
  for (const [place, facts] of groups.entries()) {
    const ofJob =
      anyOfJob && facts.print !== ""
        ? database.get(
            `select key, step, split from groups where ${nearby} and source = 'job' and print = :print order by key limit 1`,
            { ...near, print: facts.print },
          )
        : undefined;
    if (ofJob !== undefined) {
      database.run("delete from groups where key = :key", { key: number(ofJob, "key") });
      sumAgain(database, { modelId, split: text(ofJob, "split"), step: number(ofJob, "step") });
    }
    add(database, origin, place, facts, ofJob === undefined ? 0 : flagBits.trained);
  }
}

/** Marks the groups that a job is trained on, and adds the rows of those that were not logged. */
export function addTrained(database: Database, job: Origin, groups: readonly GroupFacts[]): void {
  const origin = { ...job, source: "job", split: "train" } as const;
  const { modelId, step } = job;
  const logged = new Map<string, number[]>();
  for (const row of database.all(
    `select key, print from groups where ${nearby} and source = 'log' and (flags & ${flagBits.trained}) = 0
     order by key desc`,
    { modelId, step },
  )) {
    const print = text(row, "print");
    const keys = logged.get(print) ?? [];
    logged.set(print, keys);
    keys.push(number(row, "key"));
  }
  for (const [place, facts] of groups.entries()) {
    const key = facts.print === "" ? undefined : logged.get(facts.print)?.pop();
    if (key === undefined) add(database, origin, place, facts, flagBits.trained | flagBits["not-logged"]);
    else
      database.run("update groups set flags = flags | :trained where key = :key", { key, trained: flagBits.trained });
  }
}

/** A job is mostly made at the step at which its groups are logged. Another may end in between. */
const nearby = "model_id = :modelId and step between :step - 1 and :step + 1";

/** @param extra flags of the group in addition to those of the facts */
function add(
  database: Database,
  { modelId, source, seq, step, split, created }: GroupOrigin,
  place: number,
  facts: GroupFacts,
  extra: number,
): void {
  const { attempts, mean, sd, lo, hi } = facts;
  const last = database.get("select key + max(attempts + exceptions, 1) as next from groups order by key desc limit 1");
  const key = last ? number(last, "next") : 1;
  const rewards: number[] = [];
  const tokens: number[] = [];
  const sums = new Map<string, [total: number, count: number]>();
  let flags = facts.flags | extra;
  const rows = attempts.map((attempt, at): Value[] => {
    const { reward, policy, turns, calls, finish, exception, preview, metrics, metadata } = attempt;
    if (reward !== null) rewards.push(reward);
    if (attempt.tokens !== null) tokens.push(attempt.tokens);
    for (const name in metrics) {
      const sum = sums.get(name) ?? [0, 0];
      sums.set(name, sum);
      sum[0] += metrics[name] ?? 0;
      sum[1]++;
    }
    const bits = attempt.flags | (policy !== null && step - policy > 2 ? flagBits.stale : 0);
    flags |= bits;
    const texts = [textOf(metrics), textOf(metadata)] as const;
    return [key + at, reward, attempt.tokens, turns, calls, finish, exception, bits, preview, ...texts];
  });
  const exceptions = attempts.length - rewards.length;
  const shown = [facts.task, facts.name, rewards.length, exceptions, mean, sd, lo, hi, flags, created, facts.print];
  const lists = [rewards, tokens, Object.fromEntries(sums), facts.metrics, facts.metadata].map((one) =>
    JSON.stringify(one),
  );
  database.insert(insertGroup, [key, modelId, source, seq, place, step, split, ...shown, ...lists]);
  let at = 0;
  for (; at + atOnce <= rows.length; at += atOnce) database.insert(insertMany, rows.slice(at, at + atOnce).flat());
  for (const row of rows.slice(at)) database.insert(insertOne, row);
  const total = mean === null ? null : mean * rewards.length;
  database.insert(addToStep, [modelId, split, step, rewards.length, exceptions, total, lo, hi]);
}

/** An object as JSON. Most are empty. */
function textOf(object: object): string {
  for (const _ in object) return JSON.stringify(object);
  return "{}";
}

/** Calculates the sums of a step again from its groups. */
function sumAgain(database: Database, of: { modelId: string; split: string; step: number }): void {
  const where = "model_id = :modelId and split = :split and step = :step";
  database.run(`delete from steps where ${where}`, of);
  database.run(
    `insert into steps(model_id, split, step, groups, attempts, exceptions, total, lo, hi)
     select model_id, split, step, count(*), sum(attempts), sum(exceptions), sum(mean * attempts), min(lo), max(hi)
     from groups where ${where} group by model_id, split, step`,
    of,
  );
}

const insertGroup = `insert into groups(key, model_id, source, seq, place, step, split, task, name, attempts, exceptions, mean,
  sd, lo, hi, flags, created, print, rewards, tokens, sums, metrics, metadata) values(${placeholders(23)})`;
const addToStep = `insert into steps(model_id, split, step, groups, attempts, exceptions, total, lo, hi)
  values(?, ?, ?, 1, ?, ?, ?, ?, ?)
  on conflict do update set groups = groups + 1, attempts = attempts + excluded.attempts,
    exceptions = exceptions + excluded.exceptions,
    total = iif(excluded.total is null, total, coalesce(total, 0) + excluded.total),
    lo = coalesce(min(lo, excluded.lo), lo, excluded.lo), hi = coalesce(max(hi, excluded.hi), hi, excluded.hi)`;
/** How many attempts are written by one statement: one each takes a third longer. */
const atOnce = 8;
const insertOne = insertRollouts(1);
const insertMany = insertRollouts(atOnce);

function insertRollouts(count: number): string {
  return `insert into rollouts(key, reward, tokens, turns, calls, finish, exception, flags, preview, metrics, metadata)
    values ${Array.from({ length: count }, () => `(${placeholders(11)})`).join(", ")}`;
}

function placeholders(count: number): string {
  return Array.from({ length: count }, () => "?").join(", ");
}
