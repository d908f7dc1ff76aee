import type { CountedPage, Reads, Rollout } from "@trainyard/console";
import type { Attempt } from "@trainyard/local";
import type { Context } from "../store/commands/context.ts";
import type { Database, Row } from "../store/database.ts";
import { groupIdOf } from "../store/group-key.ts";
import { number, text } from "../store/row.ts";
import { fieldOf, type Field } from "./attempt-field.ts";
import { attemptsOf } from "./attempts.ts";
import { hasRun, type Asked } from "./context.ts";
import { idIn, rowsOf } from "./groups.ts";
import { filterOf } from "./rollout-filter.ts";
import { middleOf, rangeOf } from "./steps.ts";

/** An attempt in an order: the key of its group, and its place there. */
interface Ranked {
  readonly rank: number;
  readonly key: number;
  readonly place: number;
}

/** The attempts of a run that match a filter. */
export function listRollouts(
  { database }: Context,
  query: Asked<Reads["/runs/{run_id}/rollouts"]["query"]>,
): CountedPage<Rollout> | "not-found" | "unknown-cursor" {
  const { id, sort, after, offset = 0, limit, ...filter } = query;
  if (!hasRun(database, id)) return "not-found";
  const middle = middleOf(rangeOf(database, id));
  const { where, params, columns, accepts } = filterOf(database, { id, ...filter }, middle);
  const order = orderOf(database, sort);
  const selected = [...new Set([...columns.split(","), ...order.columns])].join();
  const rows = database.once(`select ${selected} from groups where ${where}`, params);
  // Numbers in lists of their own, because an object for each attempt would take longer than everything else.
  const [ranks, keys, places]: [number[], number[], number[]] = [[], [], []];
  for (const row of rows) {
    const [key, isRight, rankAt] = [number(row, "key"), accepts(row), order.at(row)];
    const size = number(row, "attempts") + number(row, "exceptions");
    for (let place = 0; place < size; place++) {
      if (!isRight(place)) continue;
      ranks.push(rankAt(place));
      keys.push(key);
      places.push(place);
    }
  }
  const rankedAt = (at: number): Ranked => ({ rank: ranks[at] ?? 0, key: keys[at] ?? 0, place: places[at] ?? 0 });
  let start = offset;
  if (after !== undefined) {
    const cursor = keys.findIndex((key, at) => `${groupIdOf(key)}.${places[at]}` === after);
    if (cursor < 0) return "unknown-cursor";
    for (const at of ranks.keys()) if (compare(rankedAt(at), rankedAt(cursor)) <= 0) start++;
  }
  // Sorts numbers, and then only the attempts of the page and those of equal rank, which is much faster than all.
  const sorted = new Float64Array(ranks).sort();
  const [first = 0, last = 0] = [sorted[start], sorted[Math.min(start + limit, sorted.length) - 1]];
  const near: Ranked[] = [];
  ranks.forEach((rank, at) => {
    if (rank >= first && rank <= last) near.push(rankedAt(at));
  });
  const from = start - sorted.indexOf(first);
  const page = start < sorted.length ? near.sort(compare).slice(from, from + limit) : [];
  const keysOfPage = [...new Set(page.map(({ key }) => key))];
  const groups = new Map(
    rowsOf(database, keysOfPage).map((row) => [
      number(row, "key"),
      attemptsOf(database, row, middle).map((attempt) => rolloutOf(row, attempt)),
    ]),
  );
  return {
    data: page.flatMap(({ key, place }) => groups.get(key)?.[place] ?? []),
    has_more: sorted.length > start + limit,
    total: sorted.length,
  };
}

/** The ranks of attempts in an order: `reward`, `-metric.passed`. Attempts without a value come last. */
function orderOf(
  database: Database,
  sort: string,
): Pick<Field, "columns"> & { at(row: Row): (place: number) => number } {
  const field = fieldOf(database, sort.replace(/^-/, ""));
  const sign = sort.startsWith("-") ? -1 : 1;
  return {
    columns: field.columns,
    at(row) {
      const valueAt = field.at(row);
      return (place) => {
        const value = valueAt(place);
        return typeof value === "number" ? sign * value : Number.POSITIVE_INFINITY;
      };
    },
  };
}

function compare(a: Ranked, b: Ranked): number {
  // The difference of two attempts without a value is not a number, which counts as none here.
  return a.rank - b.rank || a.key - b.key || a.place - b.place;
}

/** An attempt of a row of `groups`. */
export function rolloutOf(row: Row, attempt: Attempt): Rollout {
  const group = idIn(row);
  return {
    id: `${group}.${attempt.place}`,
    group,
    step: number(row, "step"),
    split: text(row, "split"),
    task: text(row, "task"),
    name: text(row, "name"),
    attempt,
  };
}
