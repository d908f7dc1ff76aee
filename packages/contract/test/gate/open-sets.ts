import type { JsonObject } from "../../src/json.ts";
import { type Row, rowsOf } from "./row.ts";

const variant = (name: string): JsonObject => ({
  type: "object",
  required: ["kind"],
  properties: { kind: { type: "string", const: name } },
});

/** Sets and unions that may grow, by `x-extensible`. */
export const openSets: readonly Row[] = rowsOf(
  `
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
read: a value is removed from an extensible enumeration
  | warning | Code that handles it never runs; programs still compile.
  {type: object, properties: {s: {type: string, enum: [a, b], x-extensible: true}}}
  → {type: object, properties: {s: {type: string, enum: [a], x-extensible: true}}}
read: an enumeration is no longer extensible | additive or neutral | Every value is listed.
  {type: object, properties: {s: {type: string, enum: [a, b], x-extensible: true}}}
  → {type: object, properties: {s: {type: string, enum: [a, b]}}}
sent and read: a value is added to an extensible enumeration
  | additive | Accepted values stay accepted, and readers ignore values that they do not know.
  {type: object, properties: {s: {type: string, enum: [a, b], x-extensible: true}}}
  → {type: object, properties: {s: {type: string, enum: [a, b, c], x-extensible: true}}}
union: a variant is added to an extensible union | additive | Readers ignore values that they do not know.
  [a, b] → [a, b, c]
union: a variant is removed from an extensible union
  | warning | Code that handles it never runs; programs still compile.
  [a, b] → [a]
`,
  { union: (names: string[]) => ({ answer: { type: "object", "x-extensible": true, oneOf: names.map(variant) } }) },
);
