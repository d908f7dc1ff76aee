import { type Json } from "@trainyard/document";
import { tableOf } from "../draft.ts";
import { type Row, read, rowsOf, sent, sidesOf } from "./row.ts";

const text = { type: "string" };
const list = { type: "array", items: text };

/** Schemas that accept the same values, with the same effect in each direction and in both roles. */
const equal: readonly [name: string, one: Json, other: Json][] = [
  ["a list of types as a union", { type: ["string", "integer"] }, { anyOf: [text, { type: "integer" }] }],
  ["a list of types as a union of one each", { type: ["string", "integer"] }, { oneOf: [{ type: "integer" }, text] }],
  ["integers as multiples of 1", { type: "integer" }, { type: "number", multipleOf: 1 }],
  ["even integers as multiples of 2", { type: "integer", multipleOf: 2 }, { type: "number", multipleOf: 2 }],
  ["steps of integers that all have", { type: "integer" }, { type: "integer", multipleOf: 0.5 }],
  ["a limit of texts for integers", { type: "integer" }, { type: "integer", minLength: 1 }],
  ["a limit of lists for texts", text, { ...text, maxItems: 3 }],
  ["a pattern for a list", list, { ...list, pattern: "^a" }],
  ["properties of texts", text, { ...text, required: ["a"], properties: { a: text }, additionalProperties: false }],
  ["a format of texts for integers", { type: "integer" }, { type: "integer", format: "date-time" }],
  ["a limit of texts beside a list of numbers", { enum: [1, 2] }, { enum: [1, 2], maxLength: 1 }],
  ["values that the type excludes", { ...text, enum: ["a"] }, { ...text, enum: ["a", 1] }],
  ["`minContains` without `contains`", list, { ...list, minContains: 2, maxContains: 3 }],
  ["one item that matches, as a number", { ...list, contains: text }, { ...list, contains: text, minContains: 1 }],
  ["`else` without `if`", text, { ...text, else: false }],
  ["a password", text, { ...text, format: "password" }],
  ["a list that requires nothing", { type: "object", required: [] }, { type: "object" }],
  ["a place of a tuple like the other items", list, { ...list, prefixItems: [text] }],
  ["a limit that each value satisfies", { ...text, enum: ["open", "paid"] }, { enum: ["open", "paid"], maxLength: 4 }],
  ["a pattern that each value matches", { enum: ["open", null] }, { enum: ["open", null], pattern: "^o" }],
  ["a format that each value has", { ...text, enum: ["2026-11-04"] }, { enum: ["2026-11-04"], format: "date" }],
  ["a range that holds each value", { enum: [2, 4] }, { enum: [2, 4], exclusiveMinimum: 1, maximum: 4, multipleOf: 2 }],
  ["a size that each list has", { enum: [[1, 2]] }, { enum: [[1, 2]], minItems: 2, maxItems: 2 }],
  ["both values of a boolean", { type: "boolean" }, { type: "boolean", enum: [true, false] }],
  ["both values of a boolean, as constants", { type: "boolean" }, { oneOf: [{ const: false }, { const: true }] }],
  ["a boolean or null, by its values", { type: ["boolean", "null"] }, { enum: [null, false, true] }],
  ["the type of the only constant", { type: "integer", oneOf: [{ const: 2 }] }, { oneOf: [{ const: 2 }] }],
  ["the size of the only constant", { type: "integer", format: "int32", oneOf: [{ const: 2 }] }, { const: 2 }],
  ["`nullable`, which version 3.1 does not have", text, { ...text, nullable: true }],
  ["a definition that nothing uses", text, { ...text, $defs: { Unused: text } }],
];

/** The longer ones. */
const longer = tableOf(`
a list of types with their keywords as a union
  {type: [string, integer, "null"], minLength: 1, minimum: 0}
  → {anyOf: [{type: string, minLength: 1}, {type: integer, minimum: 0}, {type: "null"}]}
a nested union
  {anyOf: [{type: string}, {anyOf: [{type: integer}, {type: boolean}]}]}
  → {anyOf: [{type: string}, {type: integer}, {type: boolean}]}
a list of types within a union
  {anyOf: [{type: [string, integer]}, {type: boolean}]} → {anyOf: [{type: string}, {type: integer}, {type: boolean}]}
one of types that exclude each other
  {oneOf: [{type: string}, {type: integer}, {type: array, items: {type: string}}]}
  → {anyOf: [{type: string}, {type: integer}, {type: array, items: {type: string}}]}
the size of a number within its limits
  {type: integer, minimum: 1, maximum: 100} → {type: integer, format: int32, minimum: 1, maximum: 100}
the size of a number as its limits
  {type: integer, format: int32} → {type: integer, minimum: -2147483648, maximum: 2147483647}
an open schema as a boolean
  {type: object, properties: {a: {}}} → {type: object, properties: {a: true}}
other properties that are only described
  {type: object, additionalProperties: true} → {type: object, additionalProperties: {description: Any.}}
a closed object with patterns by another keyword
  {type: object, patternProperties: {^x-: {type: string}}, additionalProperties: false}
  → {type: object, patternProperties: {^x-: {type: string}}, unevaluatedProperties: false}
a closed tuple by another keyword
  {type: array, prefixItems: [{type: string}], items: false}
  → {type: array, prefixItems: [{type: string}], unevaluatedItems: false}
names that are texts
  {type: object, propertyNames: {maxLength: 3}} → {type: object, propertyNames: {type: string, maxLength: 3}}
names by a pattern like the others
  {type: object, additionalProperties: {type: string}}
  → {type: object, additionalProperties: {type: string}, patternProperties: {^a: {type: string}}}
`).map(({ of, lines }) => [of, ...sidesOf(lines)] as const);

const object = (schema: Json): Json => ({ type: "object", properties: { a: schema } });

/** The same meaning in another form, in both directions, for what is sent and for what is read. */
const equals = [...equal, ...longer].flatMap(([name, one = null, other = null]): Row[] => [
  sent(`${name}, from the short form`, object(one), object(other), "neutral or additive", "The meaning is the same."),
  sent(`${name}, to the short form`, object(other), object(one), "neutral or additive", "The meaning is the same."),
  read(`${name}, from the short form`, object(one), object(other), "neutral or additive", "The meaning is the same."),
  read(`${name}, to the short form`, object(other), object(one), "neutral or additive", "The meaning is the same."),
]);

export const sameMeaning: readonly Row[] = [
  ...equals,
  ...rowsOf(`
sent: a definition inside the schema, for its content | neutral | The meaning is the same.
  {type: object, properties: {step: {type: string}}}
  → {type: object, properties: {step: {$ref: "#/components/schemas/Order/$defs/Step"}}, $defs: {Step: {type: string}}}
sent: the content of a definition inside the schema | neutral | The meaning is the same.
  {type: object, properties: {step: {$ref: "#/components/schemas/Order/$defs/Step"}}, $defs: {Step: {type: string}}}
  → {type: object, properties: {step: {type: string}}}
sent: an inline object becomes a component | neutral or additive | The meaning is the same.
  {type: object, properties: {a: {type: object, properties: {id: {type: string}}}}}
  → {type: object, properties: {a: {$ref: "#/components/schemas/Part"}}}
sent: a definition inside the schema is stricter | breaking | Longer texts were accepted.
  {type: object, properties: {step: {$ref: "#/components/schemas/Order/$defs/Step"}}, $defs: {Step: {type: string}}}
  → {type: object, properties: {step: {$ref: "#/components/schemas/Order/$defs/Step"}}, $defs: {Step: {type: string,
    maxLength: 3}}}
sent: a definition inside the schema is looser | additive | More texts are accepted.
  {type: object, properties: {step: {$ref: "#/components/schemas/Order/$defs/Step"}}, $defs: {Step: {type: string,
    maxLength: 3}}}
  → {type: object, properties: {step: {$ref: "#/components/schemas/Order/$defs/Step"}}, $defs: {Step: {type: string}}}
operation: a response states its charset | neutral or warning | JSON has one charset.
  {responses: {"200": {description: Done., content: {"application/json": {schema: {type: string}}}}}}
  → {responses: {"200": {description: Done., content: {"application/json; charset=utf-8": {schema: {type: string}}}}}}
operation: a media type is written in capitals | neutral or warning | Media types ignore case.
  {responses: {"200": {description: Done., content: {"application/json": {schema: {type: string}}}}}}
  → {responses: {"200": {description: Done., content: {"application/JSON": {schema: {type: string}}}}}}
operation: a request states its charset | neutral or warning | JSON has one charset.
  {requestBody: {required: true, content: {"application/json": {schema: {type: string}}}}}
  → {requestBody: {required: true, content: {"Application/json;charset=UTF-8": {schema: {type: string}}}}}
operation: a media type has a profile | breaking | Callers that request the other one get none.
  {responses: {"200": {description: Done., content: {"application/json": {schema: {type: string}}}}}}
  → {responses: {"200": {description: Done., content: {"application/json; profile=short": {schema: {type: string}}}}}}
operation: the schema behind a charset changes | breaking | Readers get another type.
  {responses: {"200": {description: Done., content: {"application/json": {schema: {type: string}}}}}}
  → {responses: {"200": {description: Done., content: {"application/JSON; charset=utf-8": {schema: {type: number}}}}}}
training: a mapping is left out that the constants say | neutral | The meaning is the same.
  remove TrainingJobEvent/discriminator/mapping
training: a mapping says one value that is implied | neutral | The meaning is the same.
  remove TrainingJobEvent/discriminator/mapping/gradient_step
training: a mapping has names for addresses | neutral | The meaning is the same.
  set TrainingJobEvent/discriminator/mapping/gradient_step GradientStepEvent
training: a mapping gets a value of another variant | breaking | The value stands for another variant.
  set TrainingJobEvent/discriminator/mapping/gradient_step "#/components/schemas/TrainingEndedEvent"
sent: a limit that one of the values does not satisfy | breaking | That value is refused.
  {type: object, properties: {a: {enum: [open, paid, sent]}}}
  → {type: object, properties: {a: {enum: [open, paid, sent], pattern: "^[op]"}}}
sent: a format that one of the values does not have | breaking | That value is refused.
  {type: object, properties: {a: {enum: ["2026-11-04", never]}}}
  → {type: object, properties: {a: {enum: ["2026-11-04", never], format: date}}}
sent: one value of a boolean | breaking | The other one is refused.
  {type: object, properties: {a: {type: boolean}}} → {type: object, properties: {a: {type: boolean, enum: [true]}}}
training: parameters are reordered | neutral | Their order has no meaning.
  reverse models.checkpoints.list/parameters
training: a tag is renamed, with its operations | neutral | Requests and responses stay the same.
  set /tags/0/name Renamed
  set models.create/tags [Renamed]
`),
];
