import type { SearchHit, SearchLine } from "@trainyard/console";
import type { RolloutLine, RunsRolloutsExportQuery } from "@trainyard/local";
import type { TrajectoryGroup } from "@trainyard/training";
import type { Context } from "../store/commands/context.ts";
import type { Database, Params } from "../store/database.ts";
import { placeOf } from "../store/group-key.ts";
import { number, numberOrNull } from "../store/row.ts";
import { attemptsOf } from "./attempts.ts";
import { hasRun } from "./context.ts";
import { nameOf } from "./curve.ts";
import { rawGroup } from "./raw-group.ts";
import { filterOf } from "./rollout-filter.ts";
import { rolloutOf } from "./rollouts.ts";
import { finderIn, wordsOf } from "./search-text.ts";
import { middleOf, rangeOf } from "./steps.ts";

/** How long one piece is read, in milliseconds, and about how many characters it has: others are answered between pieces. */
const [budget, mostText] = [20, 1_000_000];
/** How many rows are read at a time. */
const mostRows = 64;

/** A piece of a download. */
export interface Piece {
  readonly text: string;
  /** Where the next piece begins; undefined at the end. */
  readonly next?: Place | undefined;
  /** The name of the run. */
  readonly name: string;
}

/** The last group that was read, and how many attempts were looked at so far, of how many. */
interface Place extends Record<"step" | "key" | "read" | "of", number> {}

export type ScanQuery = RunsRolloutsExportQuery & { readonly id: string; readonly after?: Place | undefined };

/** A piece of the attempts that match a filter, one per line, in the order of their steps and in which they were logged. */
export function exportRollouts(context: Context, query: ScanQuery): Piece | "not-found" {
  let text = "";
  const place = scan(context, query, ">", ({ rollout }, group, created) => {
    const { metadata, metrics, logs } = group;
    const notes = { ...(metadata && { metadata }), ...(metrics && { metrics }), ...(logs && { logs: [...logs] }) };
    const time = created === null ? {} : { time: new Date(created).toISOString() };
    const line: RolloutLine = { ...rollout, ...time, ...notes, ...attemptAt(group, rollout.attempt.place) };
    text += `${JSON.stringify(line)}\n`;
    return text.length;
  });
  return place === "not-found" ? place : { ...place, text };
}

/** A piece of the attempts that have the words of a search, newest first, as one line. */
export function searchRollouts(context: Context, query: ScanQuery): Piece | "not-found" | "no-words" {
  if (wordsOf(query.text ?? "").all.length === 0) return "no-words";
  const hits: SearchHit[] = [];
  const place = scan(context, query, "<", (hit) => hits.push(hit) * 1000);
  if (place === "not-found") return place;
  const { read, of } = place;
  return { ...place, text: `${JSON.stringify({ read, of, hits } satisfies SearchLine)}\n` };
}

/** @param take takes an attempt that was found, and returns about how many characters the piece has */
function scan(
  { database }: Context,
  { id, after, text = "", ...filter }: ScanQuery,
  direction: ">" | "<",
  take: (hit: SearchHit, group: TrajectoryGroup, created: number | null) => number,
): (Omit<Piece, "text"> & Pick<Place, "read" | "of">) | "not-found" {
  const end = performance.now() + budget;
  if (!hasRun(database, id)) return "not-found";
  const [middle, name, words] = [middleOf(rangeOf(database, id)), nameOf(database, id), wordsOf(text)];
  const mayBeIn = words.all.length > 0 ? words.mayBeIn : undefined;
  const { where, params, accepts } = filterOf(database, { id, ...filter }, middle);
  const isUp = direction === ">";
  const start = isUp ? -1 : Number.MAX_SAFE_INTEGER;
  let { step, key, read, of } = after ?? { step: start, key: start, read: 0, of: countOf(database, where, params) };
  const order = isUp ? "step, key" : "step desc, key desc";
  const sql = `select * from groups where ${where} and (step, key) ${direction} (:step, :key) order by ${order} limit ${mostRows}`;
  let length = 0;
  /** The log or the job that was read last, if it cannot have the words. */
  let without = "";
  for (;;) {
    const rows = database.once(sql, { ...params, step, key });
    for (const row of rows) {
      [step, key] = [number(row, "step"), number(row, "key")];
      const size = number(row, "attempts") + number(row, "exceptions");
      const { source, seq } = placeOf(key);
      const places = Array.from({ length: size }, (_, place) => place).filter(accepts(row));
      if (places.length > 0 && without !== `${source} ${seq}`) {
        const group = rawGroup(database, id, key, mayBeIn);
        if (group === undefined) without = `${source} ${seq}`;
        else {
          const find = finderIn(group, words);
          const found = places.flatMap((place) => find(place) ?? []);
          const attempts = found.length === 0 ? [] : attemptsOf(database, row, middle);
          for (const { place, ...hit } of found) {
            const attempt = attempts[place];
            if (attempt)
              length = take({ rollout: rolloutOf(row, attempt), ...hit }, group, numberOrNull(row, "created"));
          }
        }
      }
      read += size;
      if (performance.now() >= end || length > mostText) return { name, read, of, next: { step, key, read, of } };
    }
    if (rows.length < mostRows) return { name, read, of: Math.max(of, read) };
  }
}

function countOf(database: Database, where: string, params: Params): number {
  const [row] = database.once(`select sum(attempts + exceptions) as size from groups where ${where}`, params);
  return row === undefined ? 0 : (numberOrNull(row, "size") ?? 0);
}

/** An attempt as it was sent. Attempts with a trajectory come before the exceptions. */
function attemptAt(
  { trajectories, exceptions = [] }: TrajectoryGroup,
  place: number,
): Pick<RolloutLine, "trajectory" | "exception"> {
  return place < trajectories.length
    ? { trajectory: { ...trajectories[place] }, exception: null }
    : { trajectory: null, exception: { ...exceptions[place - trajectories.length] } };
}
