/** The values of `type` in a fault. */
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

/** The type of a fault: one of {@link faultTypes}. */
export type FaultType = (typeof faultTypes)[number];

/** A path into a JSON value: property names and array indexes, from the outside in. */
export type Loc = (string | number)[];

/** One error in a value. */
export interface Fault {
  /** The path to the error, without the source (`body`, `query` …). Empty for the value itself. */
  loc: Loc;
  /** A sentence for people. It never repeats the value. */
  msg: string;
  /** The type, for programs. */
  type: FaultType;
}

/** The maximum number of faults reported for one request or value. If there are more, one additional item says so. */
export const mostFaults = 100;

const moreMessage = "There are more faults than are listed here.";

/** The item that follows if not all faults are listed. */
export function moreFaults(loc: Loc = []): Fault {
  return { loc, msg: moreMessage, type: "value_error" };
}

/** Whether an item is the note that there are more faults. */
export function saysMore({ msg }: Fault): boolean {
  return msg === moreMessage;
}

/** Joins the faults of several parts of a request, up to the maximum. Paths begin with the source. */
export function limitFaults(faults: readonly Fault[]): readonly Fault[] {
  const listed = faults.filter((fault) => !saysMore(fault));
  const last = faults.find(saysMore) ?? listed[mostFaults];
  return last === undefined ? listed : [...listed.slice(0, mostFaults), moreFaults(last.loc.slice(0, 1))];
}

/**
 * Formats a path for people: `messages[0].content`. Empty for the value itself. A name that would be ambiguous between dots
 * is quoted: `metrics["a.b"]`.
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
