import { flagBits } from "../../console/flags.ts";
import type { GroupFacts } from "../../console/group-facts.ts";
import { oldestPolicy } from "../../console/reading.ts";
import type { Database } from "../database.ts";
import { firstOfJobs, keyOf, placeOf } from "../group-key.ts";
import { number, text } from "../row.ts";

/** The log or the job that has groups. */
interface Origin {
  readonly modelId: string;
  /** Its sequence number. */
  readonly seq: number;
  readonly step: number;
  readonly created: number | null;
}

/** A group that is added, with its place in the body, the flags that it has in addition to those of its facts, and its job. */
type NewGroup = readonly [place: number, facts: GroupFacts, flags: number, job: number | null];

/**
 * Adds the rows of a log's groups. A client may train before it logs: the group of a job that has the same attempts is
 * then replaced.
 */
export function addLogged(
  database: Database,
  log: Origin & { readonly split: string },
  groups: readonly GroupFacts[],
): void {
  const { modelId, step } = log;
  const added = groups.map((facts, place): NewGroup => {
    const row = database.get(
      `select key, split, step from groups where ${nearby} and key >= ${firstOfJobs} and print = :print
       order by key limit 1`,
      { modelId, step, print: facts.print },
    );
    if (row === undefined) return [place, facts, 0, null];
    database.run("delete from groups where key = :key", { key: number(row, "key") });
    database.run("update models set replaced = replaced + 1 where id = :modelId", { modelId });
    sumAgain(database, { modelId, split: text(row, "split"), step: number(row, "step") });
    return [place, facts, flagBits.trained, placeOf(number(row, "key")).seq];
  });
  add(database, "log", log, added);
}

/** Marks the groups that a job is trained on, and adds the rows of those that were not logged. */
export function addTrained(database: Database, job: Origin, groups: readonly GroupFacts[]): void {
  const logged = new Map<number, number[]>();
  for (const row of database.all(
    `select key, print from groups where ${nearby} and key < ${firstOfJobs} and (flags & ${flagBits.trained}) = 0
       and print is not null order by key desc`,
    { modelId: job.modelId, step: job.step },
  )) {
    const print = number(row, "print");
    const keys = logged.get(print) ?? [];
    logged.set(print, keys);
    keys.push(number(row, "key"));
  }
  const added: NewGroup[] = [];
  for (const [place, facts] of groups.entries()) {
    const key = facts.print === null ? undefined : logged.get(facts.print)?.pop();
    if (key === undefined) added.push([place, facts, flagBits.trained | flagBits["not-logged"], job.seq]);
    else
      database.run("update groups set flags = flags | :trained, job = :job where key = :key", {
        key,
        trained: flagBits.trained,
        job: job.seq,
      });
  }
  add(database, "job", { ...job, split: "train" }, added);
}

/** Adds what rows of an earlier version lack. */
export function addOrigins(
  database: Database,
  source: "log" | "job",
  seq: number,
  groups: readonly GroupFacts[],
): void {
  for (const [place, facts] of groups.entries()) {
    const { origins, log_lines: lines, said, task } = facts;
    database.run(
      "update groups set origins = :origins, log_lines = :lines, said = :said, task = :task where key = :key",
      { key: keyOf({ source, seq, place }), origins, lines, said, task },
    );
  }
}

/** A job is mostly made at the step at which its groups are logged. Another may end in between. */
const nearby = "model_id = :modelId and step between :step - 1 and :step + 1";

/** The columns that are facts as they are. */
const columns = [
  ...(["task", "name", "attempts", "exceptions", "mean", "sd", "lo", "hi", "print", "rewards", "tokens"] as const),
  ...(["turns", "calls", "finishes", "thrown", "metrics", "previews", "metadata"] as const),
  ...(["group_metrics", "group_metadata", "origins", "log_lines", "said"] as const),
];
const insertGroup = `insert into groups(key, model_id, step, split, created, flags, marks, job, ${columns.join(", ")})
  values(?, ?, ?, ?, ?, ?, ?, ?, ${columns.map(() => "?").join(", ")})`;
const addToStep = `insert into steps(model_id, split, step, groups, attempts, exceptions, total, lo, hi)
  values(?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict do update set groups = groups + excluded.groups, attempts = attempts + excluded.attempts,
    exceptions = exceptions + excluded.exceptions,
    total = iif(excluded.total is null, total, coalesce(total, 0) + excluded.total),
    lo = coalesce(min(lo, excluded.lo), lo, excluded.lo), hi = coalesce(max(hi, excluded.hi), hi, excluded.hi)`;

function add(
  database: Database,
  source: "log" | "job",
  { modelId, seq, step, split, created }: Origin & { readonly split: string },
  groups: readonly NewGroup[],
): void {
  if (groups.length === 0) return;
  let [attempts, exceptions, total] = [0, 0, 0];
  let [lo, hi] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [place, facts, flags, job] of groups) {
    const marks = marksAt(facts, step);
    const all = facts.flags | flags | (marks === facts.marks ? 0 : flagBits.stale);
    const key = keyOf({ source, seq, place });
    const start = [key, modelId, step, split, created, all, marks && JSON.stringify(marks), job];
    database.insert(insertGroup, [...start, ...columns.map((column) => facts[column])]);
    attempts += facts.attempts;
    exceptions += facts.exceptions;
    total += (facts.mean ?? 0) * facts.attempts;
    lo = Math.min(lo, facts.lo ?? lo);
    hi = Math.max(hi, facts.hi ?? hi);
  }
  const rewards = attempts === 0 ? [null, null, null] : [total, lo, hi];
  database.insert(addToStep, [modelId, split, step, groups.length, attempts, exceptions, ...rewards]);
}

/** The flags of each attempt at a step: those of the facts, and whether its policy was more than two steps old. */
function marksAt({ attempts, exceptions, marks, policies }: GroupFacts, step: number): readonly number[] | null {
  const isStale = (policy: number | null | undefined) => policy != null && step - policy > oldestPolicy;
  if (!policies?.some(isStale)) return marks;
  return Array.from(
    { length: attempts + exceptions },
    (_, at) => (marks?.[at] ?? 0) | (isStale(policies[at]) ? flagBits.stale : 0),
  );
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
