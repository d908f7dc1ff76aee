import { type Row, both, read, sent } from "./row.ts";

const closed = { type: "object", properties: { s: { type: "string", enum: ["a", "b"] } } };
const open = { type: "object", properties: { s: { type: "string", enum: ["a", "b"], "x-extensible": true } } };
const openMore = { type: "object", properties: { s: { type: "string", enum: ["a", "b", "c"], "x-extensible": true } } };
const openLess = { type: "object", properties: { s: { type: "string", enum: ["a"], "x-extensible": true } } };
const kind = (
  name: string,
): { type: string; required: string[]; properties: { kind: { type: string; const: string } } } => ({
  type: "object",
  required: ["kind"],
  properties: { kind: { type: "string", const: name } },
});
const union = (...names: string[]): { type: string; "x-extensible": boolean; oneOf: ReturnType<typeof kind>[] } => ({
  type: "object",
  "x-extensible": true,
  oneOf: names.map(kind),
});

/** Sets and unions that may grow, by `x-extensible`. */
export const openSets: readonly Row[] = [
  read(
    "a value is added to an extensible enumeration",
    open,
    openMore,
    "additive",
    "Readers ignore values that they do not know.",
  ),
  read(
    "a value is removed from an extensible enumeration",
    open,
    openLess,
    "warning",
    "Code that handles it never runs; programs still compile.",
  ),
  read(
    "a variant is added to an extensible union",
    union("a", "b"),
    union("a", "b", "c"),
    "additive",
    "Readers ignore values that they do not know.",
  ),
  read(
    "a variant is removed from an extensible union",
    union("a", "b"),
    union("a"),
    "warning",
    "Code that handles it never runs; programs still compile.",
  ),
  read(
    "an enumeration becomes extensible",
    closed,
    open,
    "breaking for source",
    "A `switch` over all members is no longer complete.",
  ),
  read("an enumeration is no longer extensible", open, closed, "additive or neutral", "Every value is listed."),
  read(
    "an enumeration becomes extensible and gets a value",
    closed,
    openMore,
    "breaking",
    "Readers were not told to expect other values.",
  ),
  read(
    "an extensible enumeration becomes any string",
    open,
    { type: "object", properties: { s: { type: "string" } } },
    "additive or warning",
    "Readers ignore values that they do not know.",
  ),
  sent(
    "a value is removed from an extensible enumeration",
    open,
    openLess,
    "breaking",
    "A value that was accepted is rejected.",
  ),
  both(
    "a value is added to an extensible enumeration",
    open,
    openMore,
    "additive",
    "Accepted values stay accepted, and readers ignore values that they do not know.",
  ),
];
