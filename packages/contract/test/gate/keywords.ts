import { type Json } from "@trainyard/document";
import { tableOf } from "../draft.ts";
import { type Judgment, type Row, read, sent, sidesOf } from "./row.ts";

type Verdicts = readonly [sent: Judgment, read: Judgment];

/** More values are allowed: senders may go on, and readers get what they do not know. */
const wider: Verdicts = ["additive", "breaking or warning"];
const narrower: Verdicts = ["breaking", "additive or neutral"];
const other: Verdicts = ["breaking", "breaking"];
const same: Verdicts = ["neutral or additive", "neutral or additive"];

const text = { type: "string" };
const number = { type: "number" };
const list = { type: "array", items: text };
const any = { type: "array" };
const map = { type: "object" };
const byPattern = (schema: Json): Json => ({ ...map, patternProperties: { "^n_": schema } });
const names = (schema: Json): Json => ({ ...map, propertyNames: schema });
const tuple = (...places: Json[]): { type: string; prefixItems: Json[] } => ({ ...any, prefixItems: places });
const reward = { ...map, properties: { reward: number, messages: list } };
const conditional = { ...reward, if: { required: ["messages"] }, else: { properties: { reward: { minimum: 0 } } } };
const closed = { ...map, additionalProperties: false };

/** A change of a schema, and the verdicts for what is sent and for what is read. */
const changes: readonly [name: string, before: Json, now: Json, verdicts: Verdicts][] = [
  // Rules in other keywords
  ["`not` is added", text, { ...text, not: { const: "a" } }, narrower],
  ["`not` is removed", { ...text, not: { const: "a" } }, text, wider],
  ["a condition is added", reward, conditional, narrower],
  ["a condition is removed", conditional, reward, wider],
  ["`dependentRequired` is added", reward, { ...reward, dependentRequired: { reward: ["messages"] } }, narrower],
  ["`dependentRequired` is removed", { ...reward, dependentRequired: { reward: ["messages"] } }, reward, wider],
  ["`contains` is added", list, { ...list, contains: { const: "a" } }, narrower],
  ["`contains` is removed", { ...list, contains: { const: "a" } }, list, wider],

  // Names by pattern
  ["values by pattern are looser", byPattern({ type: "integer" }), byPattern(number), wider],
  ["values by pattern are stricter", byPattern(number), byPattern({ type: "integer" }), narrower],
  ["values by pattern have another type", byPattern(number), byPattern(text), other],
  ["a pattern is added to an open object", map, byPattern(number), narrower],
  ["a pattern is removed from an open object", byPattern(number), map, wider],
  [
    "a pattern is added beside an exclusive one",
    { ...closed, patternProperties: { "^a_": text } },
    { ...closed, patternProperties: { "^a_": text, "^b_": number } },
    ["additive", "breaking"],
  ],

  // Names
  ["fewer names are allowed", names({ enum: ["a", "b"] }), names({ enum: ["a"] }), narrower],
  ["more names are allowed", names({ enum: ["a"] }), names({ enum: ["a", "b"] }), wider],
  ["names may be longer", names({ maxLength: 3 }), names({ maxLength: 4 }), wider],
  ["names must be shorter", names({ maxLength: 4 }), names({ maxLength: 3 }), narrower],
  ["names are restricted", map, names({ maxLength: 3 }), narrower],
  ["names are listed", map, names({ enum: ["a"] }), narrower],
  ["names are no longer restricted", names({ maxLength: 3 }), map, wider],
  ["names have another pattern", names({ pattern: "^a" }), names({ pattern: "^b" }), other],

  // Tuples
  ["a place of a tuple is looser", tuple(text, { type: "integer" }), tuple(text, number), wider],
  ["a place of a tuple is stricter", tuple(text, number), tuple(text, { type: "integer" }), narrower],
  ["a place of a tuple has another type", tuple(text, number), tuple(text, text), other],
  ["two places of a tuple are swapped", tuple(text, number), tuple(number, text), other],
  ["a place is added that could hold anything", tuple(text), tuple(text, number), narrower],

  // Types and values
  ["integers become texts with the same digits", { enum: [1, 2] }, { enum: ["1", "2"] }, other],
  ["a type of several is removed, with its limit", { type: ["string", "integer"], minimum: 1 }, text, narrower],
  ["a type is added, with its limit", text, { type: ["string", "integer"], minimum: 1 }, wider],
  ["a type of a union is removed", { anyOf: [text, number] }, text, ["breaking", "breaking or additive"]],
  [
    "a union becomes a list of fewer types",
    { anyOf: [text, { type: "integer" }, { type: "boolean" }] },
    { type: ["string", "integer"] },
    ["breaking", "breaking or additive"],
  ],
  ["nothing is allowed", text, false, ["breaking", "breaking"]],
  ["integers become numbers", { type: "integer" }, number, wider],
  ["any number becomes multiples of 1", number, { ...number, multipleOf: 1 }, narrower],
  ["the size of integers is limited", { type: "integer" }, { type: "integer", format: "int32" }, narrower],
  [
    "an unknown format is added",
    text,
    { ...text, format: "slug" },
    ["breaking or warning", "additive or neutral or warning"],
  ],
  ["a map must not be empty", map, { ...map, minProperties: 1 }, narrower],
  ["a closed object has a new property", closed, { ...closed, properties: { a: text } }, ["additive", "breaking"]],

  // Null alone
  ["a text or null becomes null", { type: ["string", "null"] }, { type: "null" }, ["breaking", "breaking"]],
  ["a union with null becomes null", { anyOf: [text, { type: "null" }] }, { type: "null" }, ["breaking", "breaking"]],
  ["an enumeration with null becomes null", { enum: ["a", "b", null] }, { enum: [null] }, ["breaking", "breaking"]],
  ["a text or null becomes the constant null", { type: ["string", "null"] }, { const: null }, ["breaking", "breaking"]],
  ["anything becomes null", {}, { type: "null" }, ["breaking", "breaking"]],
  ["null becomes a text or null", { type: "null" }, { type: ["string", "null"] }, wider],
];

const verdicts = new Map(Object.entries({ wider, narrower, other, same }));

/** The longer ones. */
const longer = tableOf(`
narrower: more items must match
  {type: array, items: {type: string}, contains: {const: a}}
  → {type: array, items: {type: string}, contains: {const: a}, minContains: 2}
wider: fewer items must match
  {type: array, items: {type: string}, contains: {const: a}, minContains: 3}
  → {type: array, items: {type: string}, contains: {const: a}, minContains: 2}
narrower: fewer items may match
  {type: array, items: {type: string}, contains: {const: a}}
  → {type: array, items: {type: string}, contains: {const: a}, maxContains: 2}
wider: more items may match
  {type: array, items: {type: string}, contains: {const: a}, maxContains: 2}
  → {type: array, items: {type: string}, contains: {const: a}, maxContains: 3}
other: a pattern is added that also matches names of another one
  {type: object, additionalProperties: false, patternProperties: {^a: {type: string}}}
  → {type: object, additionalProperties: false, patternProperties: {^a: {type: string}, b$: {type: number}}}
narrower: a pattern is added that matches a declared name
  {type: object, properties: {n_1: {}}}
  → {type: object, properties: {n_1: {}}, patternProperties: {^n_: {type: number}}}
other: a declared name has had another type by its pattern
  {type: object, additionalProperties: false, patternProperties: {^n_: {type: number}}}
  → {type: object, additionalProperties: false, patternProperties: {^n_: {type: number}},
    properties: {n_1: {type: string}}}
other: a pattern has other names
  {type: object, additionalProperties: false, patternProperties: {^a_: {type: string}}}
  → {type: object, additionalProperties: false, patternProperties: {^b_: {type: string}}}
wider: a place is added to a closed tuple
  {type: array, prefixItems: [{type: string}], items: false}
  → {type: array, prefixItems: [{type: string}, {type: number}], items: false}
other: a place is removed from a closed tuple
  {type: array, prefixItems: [{type: string}, {type: number}], items: false}
  → {type: array, prefixItems: [{type: string}], items: false}
narrower: a place is added that is stricter than the other items
  {type: array, items: {type: string}, prefixItems: [{type: string}]}
  → {type: array, items: {type: string}, prefixItems: [{type: string}, {type: string, maxLength: 3}]}
wider: a place is removed that was stricter than the other items
  {type: array, items: {type: string}, prefixItems: [{type: string}, {type: string, maxLength: 3}]}
  → {type: array, items: {type: string}, prefixItems: [{type: string}]}
other: a place is added of another type than the other items
  {type: array, items: {type: string}, prefixItems: [{type: string}]}
  → {type: array, items: {type: string}, prefixItems: [{type: string}, {type: number}]}
wider: a list of types becomes a union with another one
  {type: [string, integer]} → {anyOf: [{type: string}, {type: integer}, {type: boolean}]}
narrower: a list of types becomes a union with a limit
  {type: [string, integer]} → {anyOf: [{type: string, maxLength: 3}, {type: integer}]}
other: a new variant of 'oneOf' takes values from another one
  {oneOf: [{type: string}, {type: number}]} → {oneOf: [{type: string}, {type: number}, {type: integer}]}
other: a variant of 'oneOf' widens into another one
  {oneOf: [{type: string}, {type: boolean}]} → {oneOf: [{type: string}, {type: [boolean, string]}]}
wider: an item that no longer must match may be any number of times
  {type: array, items: {type: string}, contains: {type: string}, minContains: 2} → {type: array, items: {type: string}}
narrower: a reference beside types loses null
  {$ref: "#/components/schemas/Part", type: [object, "null"]} → {$ref: "#/components/schemas/Part", type: object}
narrower: overlapping variants must match alone
  {anyOf: [{type: string}, {type: string, maxLength: 3}]} → {oneOf: [{type: string}, {type: string, maxLength: 3}]}
other: multiples of 2 become multiples of 3
  {type: integer, multipleOf: 2} → {type: integer, multipleOf: 3}
wider: a limit leaves the size of integers
  {type: integer, format: int32, maximum: 9} → {type: integer, format: int32}
narrower: the values of a map lose a type
  {type: object, additionalProperties: {type: [string, boolean]}} → {type: object, additionalProperties: {type: string}}
same: other properties are only described
  {type: object, additionalProperties: true} → {type: object, additionalProperties: {description: Any.}}
other: a union of several with null becomes null
  {anyOf: [{type: string}, {type: array, items: {type: string}}, {type: "null"}]} → {type: "null"}
`).map(({ of, name, lines }): (typeof changes)[number] => {
  const [before = null, now = null] = sidesOf(lines);
  return [name, before, now, verdicts.get(of) ?? other];
});

export const keywords: readonly Row[] = [...changes, ...longer].flatMap(([name, before, now, verdicts]) => {
  const inside = (schema: Json): Json => ({ type: "object", properties: { a: schema } });
  return [
    sent(name, inside(before), inside(now), verdicts[0], "Callers send what was accepted before."),
    read(name, inside(before), inside(now), verdicts[1], "Callers read what they know."),
  ];
});
