import type { RunsRolloutsExportQuery } from "@trainyard/local";
import type { Params, Row } from "../store/database.ts";
import { bitsOf } from "./attempts.ts";
import { listIn } from "./context.ts";
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
  readonly accepts: (row: Row) => (place: number) => boolean;
}

/** A condition for attempts: the column with their values, and what is right for one. */
type Test = readonly [column: string, isRight: (value: unknown, place: number, row: Row) => boolean];

/** The conditions of a query. All of its values are parameters. */
export function filterOf(query: RolloutFilter, middle: number): GroupFilter {
  const where = ["model_id = :id"];
  const params: Params = { id: query.id };
  const columns = ["key", "attempts", "exceptions", "flags"];
  const tests: Test[] = [];
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
    if (range !== "" && range !== "..") tests.push([column, isWithin(range)]);
  }
  if (query.metric !== undefined) {
    const at = query.metric.lastIndexOf(":");
    columns.push("metrics -> :metric as metric");
    params["metric"] = `$.${JSON.stringify(query.metric.slice(0, at))}`;
    // Without either end, every attempt that has a value matches.
    tests.push(["metric", isWithin(query.metric.slice(at + 1) || "..")]);
  }
  if (query.flag !== undefined) {
    where.push(flagCondition(query.flag, middle));
    const bit = query.flag === "flat-low" || query.flag === "flat-high" ? flagBits.flat : flagBits[query.flag];
    tests.push(["marks", (mark, place, row) => (bitsOf(row, mark, place) & bit) !== 0]);
  }
  if (query.finish !== undefined) tests.push(["finishes", (finish) => finish === query.finish]);
  for (const word of (query.text ?? "").toLowerCase().split(/\s+/).filter(Boolean)) {
    tests.push(["previews", (preview) => String(preview).toLowerCase().includes(word)]);
  }
  return {
    where: where.join(" and "),
    params,
    columns: [...columns, ...new Set(tests.map(([column]) => column).filter((column) => column !== "metric"))].join(),
    accepts(row) {
      const lists = tests.map(([column, isRight]) => [listIn<unknown>(row, column), isRight] as const);
      return (place) => lists.every(([values, isRight]) => isRight(values[place], place, row));
    },
  };
}

function rangeOf(range: string): [from: number, to: number] {
  const [from = "", to = from] = range.split("..");
  return [from === "" ? Number.NEGATIVE_INFINITY : Number(from), to === "" ? Number.POSITIVE_INFINITY : Number(to)];
}

function isWithin(range: string): (value: unknown) => boolean {
  const [from, to] = rangeOf(range);
  return (value) => typeof value === "number" && value >= from && value <= to;
}
