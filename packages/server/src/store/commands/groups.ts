import { flagBits } from "../../console/flags.ts";
import type { GroupFacts } from "../../console/group-facts.ts";
import { oldestPolicy } from "../../console/reading.ts";
import type { Database, Row } from "../database.ts";
import { firstOfJobs, keyOf, placeOf, type GroupPlace } from "../group-key.ts";
import { number, numberOrNull, text } from "../row.ts";
import type { Context } from "./context.ts";

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

/** A log or a job. */
type RowsOf = Pick<GroupPlace, "source" | "seq">;

/** The answer to a log or a job, and what it is if more of its groups follow. */
export interface Started<T> {
  readonly answer: T;
  readonly rows: RowsOf | undefined;
}

/** Notes that rows follow after the first ones. If the server ends before, its next start derives them from the body. */
export function startRows(database: Database, of: RowsOf, place: number): RowsOf {
  database.run("insert or replace into underived(source, seq, place) values(:source, :seq, :place)", { ...of, place });
  return of;
}

/** The next groups of a log or a job, as JSON. Only few are stored in one turn, so that others have theirs. */
interface MoreRows extends RowsOf {
  /** Whose turn it is. */
  readonly entity: string;
  readonly modelId: string;
  readonly groups: string;
  readonly more: boolean;
}

/** Adds rows. False if the model is gone, or all rows are there. */
export function addRows({ database }: Context, { source, seq, modelId, groups, more }: MoreRows): boolean {
  const row = database.get(
    `select step, one.created, ${source === "job" ? "'train' as" : ""} split, place
     from ${source}s one join models on models.id = model_id join underived on source = :source and underived.seq = one.seq
     where one.seq = :seq and model_id = :modelId`,
    { source, seq, modelId },
  );
  if (row === undefined) return false;
  const place = number(row, "place");
  const facts: GroupFacts[] = JSON.parse(groups);
  const origin = { modelId, seq, step: number(row, "step"), created: numberOrNull(row, "created") };
  if (source === "job") addTrained(database, origin, facts, place);
  else addLogged(database, { ...origin, split: text(row, "split") }, facts, place);
  if (more) startRows(database, { source, seq }, place + facts.length);
  else database.run("delete from underived where source = :source and seq = :seq", { source, seq });
  return true;
}

/**
 * Adds the rows of a log's groups. A client may train before it logs: the group of a job that has the same attempts is
 * then replaced.
 *
 * @param from the place of the first one
 */
export function addLogged(
  database: Database,
  log: Origin & { readonly split: string },
  groups: readonly GroupFacts[],
  from = 0,
): void {
  const { modelId, step } = log;
  const trained = alikeIn(database, { modelId, step }, groups, `key >= ${firstOfJobs}`);
  const changed = new Map<string, { modelId: string; split: string; step: number }>();
  const added = groups.map((facts, at): NewGroup => {
    const row = takeAlike(trained, facts);
    if (row === undefined) return [from + at, facts, 0, null];
    database.run("delete from groups where key = :key", { key: number(row, "key") });
    const of = { modelId, split: text(row, "split"), step: number(row, "step") };
    changed.set(`${of.step} ${of.split}`, of);
    return [from + at, facts, flagBits.trained, placeOf(number(row, "key")).seq];
  });
  if (changed.size > 0) {
    const replaced = added.filter(([, , , job]) => job !== null).length;
    database.run("update models set replaced = replaced + :replaced where id = :modelId", { modelId, replaced });
  }
  for (const of of changed.values()) sumAgain(database, of);
  add(database, "log", log, added);
}

/**
 * Marks the groups that a job is trained on, and adds the rows of those that were not logged.
 *
 * @param from the place of the first one
 */
export function addTrained(database: Database, job: Origin, groups: readonly GroupFacts[], from = 0): void {
  const untrained = `key < ${firstOfJobs} and (flags & ${flagBits.trained}) = 0`;
  const logged = alikeIn(database, job, groups, untrained);
  const added: NewGroup[] = [];
  for (const [at, facts] of groups.entries()) {
    const row = takeAlike(logged, facts);
    if (row === undefined) added.push([from + at, facts, flagBits.trained | flagBits["not-logged"], job.seq]);
    else
      database.run("update groups set flags = flags | :trained, job = :job where key = :key", {
        key: number(row, "key"),
        trained: flagBits.trained,
        job: job.seq,
      });
  }
  add(database, "job", { ...job, split: "train" }, added);
}

/**
 * Rows near a step by the attempts that they have, the latest first: a job is mostly made at the step at which its groups are
 * logged, and another may end in between.
 */
function alikeIn(
  database: Database,
  { modelId, step }: { readonly modelId: string; readonly step: number },
  groups: readonly GroupFacts[],
  which: string,
): Map<number, Row[]> {
  const prints = groups.flatMap(({ print }) => print ?? []);
  const alike = new Map<number, Row[]>();
  const near = `from groups where model_id = :modelId and step between :step - 1 and :step + 1 and ${which}`;
  // Mostly there are none, which is found faster.
  if (database.get(`select 1 ${near} limit 1`, { modelId, step }) === undefined) return alike;
  for (const row of database.all(
    `select * from (select key, split, step, print, row_number() over (partition by print order by key) as number
       ${near} and print in (select value from json_each(:prints)))
     where number <= :most order by key desc`,
    { modelId, step, prints: JSON.stringify(prints), most: prints.length },
  )) {
    const print = number(row, "print");
    const same = alike.get(print) ?? [];
    alike.set(print, same);
    same.push(row);
  }
  return alike;
}

/** Takes the oldest row with the attempts of a group. */
function takeAlike(rows: ReadonlyMap<number, Row[]>, { print }: GroupFacts): Row | undefined {
  return print === null ? undefined : rows.get(print)?.pop();
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
