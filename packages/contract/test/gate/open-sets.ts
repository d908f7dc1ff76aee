import { type Row, both, read, rowsOf } from "./row.ts";

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
  ...rowsOf(`
read: a value is added to an extensible enumeration | additive | Readers ignore values that they do not know.
  {type: object, properties: {s: {type: string, enum: [a, b], x-extensible: true}}}
  → {type: object, properties: {s: {type: string, enum: [a, b, c], x-extensible: true}}}
read: an enumeration becomes extensible | breaking for source | A 'switch' over all members is no longer complete.
  {type: object, properties: {s: {type: string, enum: [a, b]}}}
  → {type: object, properties: {s: {type: string, enum: [a, b], x-extensible: true}}}
read: an enumeration becomes extensible and gets a value | breaking | Readers were not told to expect other values.
  {type: object, properties: {s: {type: string, enum: [a, b]}}}
  → {type: object, properties: {s: {type: string, enum: [a, b, c], x-extensible: true}}}
read: an extensible enumeration becomes any string | additive or warning | Readers ignore values that they do not know.
  {type: object, properties: {s: {type: string, enum: [a, b], x-extensible: true}}}
  → {type: object, properties: {s: {type: string}}}
sent: a value is removed from an extensible enumeration | breaking | A value that was accepted is rejected.
  {type: object, properties: {s: {type: string, enum: [a, b], x-extensible: true}}}
  → {type: object, properties: {s: {type: string, enum: [a], x-extensible: true}}}
`),
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
  read("an enumeration is no longer extensible", open, closed, "additive or neutral", "Every value is listed."),
  both(
    "a value is added to an extensible enumeration",
    open,
    openMore,
    "additive",
    "Accepted values stay accepted, and readers ignore values that they do not know.",
  ),
];
