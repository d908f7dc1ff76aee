/** Every kind of fault that a service names in `type`. */
export const faultTypes = [
  "missing",
  "extra_forbidden",
  "string_type",
  "int_type",
  "float_type",
  "bool_type",
  "list_type",
  "dict_type",
  "literal_error",
  "enum",
  "greater_than_equal",
  "less_than_equal",
  "too_short",
  "too_long",
  "datetime_parsing",
  "uuid_parsing",
  "union_tag_invalid",
  "value_error",
  "json_invalid",
] as const;

/** The kind of a fault: one of {@link faultTypes}. */
export type FaultType = (typeof faultTypes)[number];

/** A place in a JSON value: property names and array positions, from the outside in. */
export type Loc = (string | number)[];

/** One thing that is wrong with a value. */
export interface Fault {
  /** Where it is, without the source (`body`, `query` …) in front. Empty for the value itself. */
  loc: Loc;
  /** A sentence for people. It never repeats the value. */
  msg: string;
  /** What kind of fault it is, for programs. */
  type: FaultType;
}

/** How many faults are told of one request or value at most. Where there are more, one item behind them says so. */
export const mostFaults = 100;

const more = "There are more faults than are listed here.";

/** The item behind faults of which not all are told. */
export function moreFaults(loc: Loc = []): Fault {
  return { loc, msg: more, type: "value_error" };
}

/** Whether an item is no fault, but says that there are more. */
export function saysMore({ msg }: Fault): boolean {
  return msg === more;
}

/** Faults that were found in several parts of a request, no more of them than are told. Places begin with the source. */
export function limitFaults(faults: readonly Fault[]): readonly Fault[] {
  const told = faults.filter((fault) => !saysMore(fault));
  const last = faults.find(saysMore) ?? told[mostFaults];
  return last === undefined ? told : [...told.slice(0, mostFaults), moreFaults(last.loc.slice(0, 1))];
}

/**
 * Writes a place as people do: `messages[0].content`. Empty for the value itself. A name that would be
 * ambiguous between dots is quoted: `metrics["a.b"]`.
 */
export function formatLoc(loc: readonly (string | number)[]): string {
  let path = "";
  for (const step of loc) {
    if (typeof step === "number") path += `[${step}]`;
    else if (!/^[\w-]+$/.test(step)) path += `[${JSON.stringify(step)}]`;
    else path += path === "" ? step : `.${step}`;
  }
  return path;
}
