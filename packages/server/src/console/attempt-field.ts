import type { Database, Row } from "../store/database.ts";
import { number } from "../store/row.ts";
import { readAdvantages } from "./advantages.ts";
import { json } from "./context.ts";

/** A value of each attempt: the columns of `groups` that it is read from, and the value at a place. */
export interface Field {
  readonly columns: readonly string[];
  /** Reads a row once, for all places. An attempt without the value has undefined or null. */
  readonly at: (row: Row) => (place: number) => Value | undefined;
  /** The value of the group itself, if groups have it. */
  readonly ofGroup?: (row: Row) => Value | undefined;
}

/** What metadata and metrics may be. */
export type Value = string | number | boolean | null;
type Values = Readonly<Record<string, Value>>;
type Lists = Readonly<Record<string, readonly Value[] | Values>>;

const listed = (column: string): Field => ({
  columns: [column],
  at(row) {
    const values = json<readonly Value[]>(row, column, []);
    return (place) => values[place];
  },
});
const origin = (name: string, none?: number): Field => ({
  columns: ["origins", "attempts"],
  at(row) {
    const values = json<Lists>(row, "origins", {})[name] as readonly Value[] | undefined;
    const size = number(row, "attempts");
    return (place) => (place < size ? (values?.[place] ?? none) : undefined);
  },
});

const ofGroup = (column: string): Field => ({
  columns: [column],
  at: (row) => () => row[column] as Value,
  ofGroup: (row) => row[column] as Value,
});

const fields: Readonly<Record<string, Field>> = {
  step: ofGroup("step"),
  split: ofGroup("split"),
  task: ofGroup("task"),
  q: ofGroup("name"),
  reward: listed("rewards"),
  tokens: listed("tokens"),
  turns: listed("turns"),
  tool_calls: listed("calls"),
  finish: listed("finishes"),
  start: origin("started"),
  initial_policy: origin("initial"),
  final_policy: origin("final"),
  log_lines: origin("lines", 0),
  exception: {
    columns: ["thrown", "attempts"],
    at(row) {
      const [thrown, size] = [json<readonly string[]>(row, "thrown", []), number(row, "attempts")];
      return (place) => thrown[place - size];
    },
  },
};

/** A field by its name in queries: `reward`, `metric.passed`, `metadata.dataset`. */
export function fieldOf(database: Database, name: string): Field {
  if (name === "advantage") return advantage(database);
  const [, source, key] = /^(metadata|metric)\.(.+)$/s.exec(name) ?? [];
  const field = key === undefined ? fields[name] : source === "metadata" ? metadata(key) : metric(key);
  if (field === undefined) throw new Error(`Attempts have no field ${name}.`);
  return field;
}

function advantage(database: Database): Field {
  const read = readAdvantages(database);
  return {
    columns: ["key", "job", "rewards"],
    at(row) {
      const values = read(row);
      return (place) => values[place];
    },
  };
}

/** What an attempt has not, its group may have. */
function metadata(key: string): Field {
  const ofGroup = (row: Row) => own(json<Values>(row, "group_metadata", {}), key);
  return {
    columns: ["metadata", "group_metadata"],
    ofGroup,
    at(row) {
      const [values, shared] = [json<readonly (Values | null)[]>(row, "metadata", []), ofGroup(row)];
      return (place) => own(values[place] ?? {}, key) ?? shared;
    },
  };
}

function metric(key: string): Field {
  const ofGroup = (row: Row) => {
    const value = own(json<Values>(row, "group_metrics", {}), key);
    return value === undefined ? value : Number(value);
  };
  return {
    columns: ["metrics", "group_metrics"],
    ofGroup,
    at(row) {
      // A list, or an object of places: see `group-facts.ts`.
      const [values, shared] = [own(json<Lists>(row, "metrics", {}), key) as Values | undefined, ofGroup(row)];
      return (place) => values?.[place] ?? shared;
    },
  };
}

/** Names are foreign: an object has a `constructor` that nobody sent. */
function own<T>(values: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
