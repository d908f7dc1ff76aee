import type { RunsRolloutsExportQuery } from "@trainyard/local";
import type { Params, Row } from "../store/database.ts";
import { text } from "../store/row.ts";
import { bitsOf } from "./attempts.ts";
import { json } from "./context.ts";
import { flagBits } from "./flags.ts";
import { flagCondition } from "./groups.ts";

/** A filter of the attempts of a run. A range is `a..b`, where either end may be omitted, or one value. */
export type RolloutFilter = RunsRolloutsExportQuery & { readonly id: string };

/** A filter in two parts: SQL finds groups, and the lists of their rows decide about each attempt. */
export interface GroupFilter {
  readonly where: string;
  readonly params: Params;
  /** What `accepts` reads of a row, for the `select`. */
  readonly columns: string;
  /** Whether the attempt at a place of a group matches. */
  readonly accepts: Test;
}

/** Reads the row of a group, and tells of each place whether its attempt matches. */
type Test = (row: Row) => (place: number) => boolean;

/** The conditions of a query. All of its values are parameters. */
export function filterOf(query: RolloutFilter, middle: number): GroupFilter {
  const where = ["model_id = :id"];
  const params: Params = { id: query.id };
  const columns = new Set(["key", "attempts", "exceptions", "flags"]);
  const tests: Test[] = [];
  const test = (column: string, one: Test) => {
    columns.add(column);
    tests.push(one);
  };
  for (const column of ["split", "task"] as const) {
    if (query[column] === undefined) continue;
    where.push(`${column} = :${column}`);
    params[column] = query[column];
  }
  if (query.step !== undefined) {
    where.push("step between :from and :to");
    [params["from"], params["to"]] = rangeOf(query.step);
  }
  const ranges = { rewards: query.reward, tokens: query.tokens, calls: query.tool_calls };
  for (const [column, range = ".."] of Object.entries(ranges)) {
    if (range === "" || range === "..") continue;
    const isWithin = within(range);
    test(column, (row) => isWithin(json<unknown[]>(row, column)));
  }
  if (query.metric !== undefined) {
    const at = query.metric.lastIndexOf(":");
    const [name, range] = [query.metric.slice(0, at), query.metric.slice(at + 1)];
    // Without either end, every attempt that has a value matches.
    const isWithin = within(range || "..");
    test("metrics", (row) => isWithin(json<Record<string, unknown[]>>(row, "metrics", {})[name] ?? []));
  }
  if (query.flag !== undefined) {
    where.push(flagCondition(query.flag, middle));
    const bit = query.flag === "flat-low" || query.flag === "flat-high" ? flagBits.flat : flagBits[query.flag];
    test("marks", (row) => {
      const bitsAt = bitsOf(row);
      return (place) => (bitsAt(place) & bit) !== 0;
    });
  }
  if (query.finish !== undefined) {
    test("finishes", (row) => {
      const finishes = json<unknown[]>(row, "finishes");
      return (place) => finishes[place] === query.finish;
    });
  }
  const words = (query.text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  // In JSON they are written as they are, so a group without one of them need not be parsed.
  const plain = words.filter((word) => /^[\w-]+$/.test(word));
  if (words.length > 0) {
    test("previews", (row) => {
      // JSON stays valid in lower case, and one long text is faster than many short ones.
      const written = text(row, "previews").toLowerCase();
      if (plain.some((word) => !written.includes(word))) return () => false;
      const previews: string[] = JSON.parse(written);
      return (place) => words.every((word) => previews[place]?.includes(word) === true);
    });
  }
  return {
    where: where.join(" and "),
    params,
    columns: [...columns].join(),
    accepts(row) {
      const [first = () => true, second = () => true, ...more] = tests.map((one) => one(row));
      return (place) => first(place) && second(place) && more.every((isRight) => isRight(place));
    },
  };
}

function rangeOf(range: string): [from: number, to: number] {
  const [from = "", to = from] = range.split("..");
  return [from === "" ? Number.NEGATIVE_INFINITY : Number(from), to === "" ? Number.POSITIVE_INFINITY : Number(to)];
}

/** Whether a value of a list is a number of a range, which is read once for all rows. */
function within(range: string): (values: readonly unknown[]) => (place: number) => boolean {
  const [from, to] = rangeOf(range);
  return (values) => (place) => {
    const value = values[place];
    return typeof value === "number" && value >= from && value <= to;
  };
}
