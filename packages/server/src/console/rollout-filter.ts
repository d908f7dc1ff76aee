import type { RunsRolloutsExportQuery } from "@trainyard/local";
import type { Database, Params, Row } from "../store/database.ts";
import { number } from "../store/row.ts";
import { fieldOf, type Field, type Value } from "./attempt-field.ts";
import { bitsOf } from "./attempts.ts";
import { flagBits, type Flag } from "./flags.ts";

/** A filter of the attempts of a run. */
export type RolloutFilter = Omit<RunsRolloutsExportQuery, "text"> & { readonly id: string };

/** A filter in two parts: SQL leaves out most groups, and the lists of the others decide about each attempt. */
export interface GroupFilter {
  /** A condition that each group with a match meets. */
  readonly where: string;
  readonly params: Params;
  /** What the functions read of a row, for the `select`. */
  readonly columns: string;
  /** Whether there are no conditions. */
  readonly isAll: boolean;
  /** Whether the attempt at a place of a group matches. */
  readonly accepts: Test;
  /** Whether a group matches: each condition holds for it or for one of its attempts, and each that is negated for none. */
  readonly acceptsGroup: (row: Row) => boolean;
}

/** Reads the row of a group, and tells of each place whether its attempt matches. */
type Test = (row: Row) => (place: number) => boolean;

/** A condition of a query: `!a..b`, `gsm8k`, `"!"`. */
interface Condition {
  readonly isNot: boolean;
  readonly text: string;
  /** The ends of a range of numbers. */
  readonly limits?: readonly [number, number];
  /** Whether a value is the text or a number of the range. */
  readonly accepts: (value: Value | undefined) => boolean;
}

const numeral = String.raw`-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const range = new RegExp(`^(${numeral})?(?:(\\.\\.)(${numeral})?)?$`);
const orders = new RegExp(`^([<>]=?)(${numeral})$`);
const ends = (from: string | undefined, to: string | undefined): [from: number, to: number] => [
  from ? Number(from) : Number.NEGATIVE_INFINITY,
  to ? Number(to) : Number.POSITIVE_INFINITY,
];

function conditionOf(name: string, written: string): Condition {
  const isNot = written.startsWith("!");
  const rest = isNot ? written.slice(1) : written;
  const quoted = /^".*"$/s.test(rest);
  const text = quoted ? unquoted(rest) : rest;
  const of = (accepts: Condition["accepts"]) => ({ isNot, text, accepts });
  // Whatever has a value at all.
  if (!quoted && text === "..") return of((value) => value !== undefined && value !== null);
  const isSame = (value: Value | undefined) => value !== undefined && value !== null && String(value) === text;
  if (name === "q") {
    const part = text.toLowerCase();
    return of((value) => String(value).toLowerCase().includes(part));
  }
  if (name === "start") {
    const [since = "", until = since] = text.split("..");
    const limits = ends(since && String(Date.parse(since)), until && String(Date.parse(until)));
    return { ...of((value) => typeof value === "number" && isWithin(value, limits)), limits };
  }
  const [, order = "", limit] = (!quoted && orders.exec(text)) || [];
  if (limit !== undefined) {
    const isRight = (value: number) => (order.startsWith("<") ? value < Number(limit) : value > Number(limit));
    const isEqual = order.endsWith("=");
    return of((value) => typeof value === "number" && (isRight(value) || (isEqual && value === Number(limit))));
  }
  const [found, first, dots, last] = (!quoted && range.exec(text)) || [];
  if (!found) return of(isSame);
  const limits = ends(first, dots === undefined ? first : last);
  const accepts = (value: Value | undefined) =>
    typeof value === "number" ? isWithin(value, limits) : dots === undefined && isSame(value);
  return { ...of(accepts), limits };
}

const isWithin = (value: number, [from, to]: readonly [number, number]) => value >= from && value <= to;

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}

/** The conditions of a query. All of its values are parameters. */
export function filterOf(
  database: Database,
  { id, filter = {}, flag, ...query }: RolloutFilter,
  middle: number,
): GroupFilter {
  const where = ["model_id = :id"];
  const params: Params = { id };
  const columns = new Set(["key", "attempts", "exceptions", "flags"]);
  const tests: { isNot: boolean; at: Test; ofGroup: (row: Row) => boolean }[] = [];
  const add = ({ isNot, accepts }: Condition, field: Field) => {
    for (const column of field.columns) columns.add(column);
    const ofGroup = (row: Row) => field.ofGroup !== undefined && accepts(field.ofGroup(row));
    const at: Test = (row) => {
      const valueAt = field.at(row);
      return (place) => accepts(valueAt(place)) !== isNot;
    };
    tests.push({ isNot, at, ofGroup });
  };
  const bind = (value: string | number): string => {
    const place = `p${Object.keys(params).length}`;
    params[place] = value;
    return `:${place}`;
  };
  for (const [name, given] of Object.entries({ ...query, ...filter })) {
    for (const written of [given ?? []].flat()) {
      if (written === "") continue;
      const condition = conditionOf(name, written);
      const { isNot, text, limits } = condition;
      add(condition, fieldOf(database, name));
      const not = isNot ? "not " : "";
      if (name === "split" || name === "task") where.push(`${not}${name} = ${bind(text)}`);
      if (name === "step" && limits) where.push(`${not}(step between ${limits.map(bind).join(" and ")})`);
    }
  }
  for (const written of [flag ?? []].flat()) {
    const isNot = written.startsWith("!");
    const name = (isNot ? written.slice(1) : written) as Flag;
    if (!isNot) where.push(`(flags & ${flagBits[bitOf(name)]}) <> 0`);
    const field: Field = {
      columns: ["marks", "mean", "rewards"],
      ofGroup: (row) => hasFlag(number(row, "flags"), name, row["mean"], middle),
      at(row) {
        const [bitsAt, rewardAt] = [bitsOf(row), fieldOf(database, "reward").at(row)];
        return (place) => hasFlag(bitsAt(place), name, rewardAt(place), middle);
      },
    };
    add({ isNot, text: name, accepts: (value) => value === true }, field);
  }
  return {
    where: where.join(" and "),
    params,
    columns: [...columns].join(),
    isAll: tests.length === 0,
    accepts(row) {
      const [first = () => true, second = () => true, ...more] = tests.map(({ at }) => at(row));
      return (place) => first(place) && second(place) && more.every((isRight) => isRight(place));
    },
    acceptsGroup: (row) =>
      tests.every(({ isNot, at, ofGroup }) => {
        if (ofGroup(row)) return !isNot;
        const places = [...Array(number(row, "attempts") + number(row, "exceptions")).keys()];
        return isNot ? places.every(at(row)) : places.some(at(row));
      }),
  };
}

const bitOf = (flag: Flag) => (flag === "flat-low" || flag === "flat-high" ? "flat" : flag);

function hasFlag(bits: number, flag: Flag, mean: unknown, middle: number): boolean {
  if ((bits & flagBits[bitOf(flag)]) === 0) return false;
  return bitOf(flag) !== "flat" || Number(mean) >= middle === (flag === "flat-high");
}
