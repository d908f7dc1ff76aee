import type { Json } from "../../src/json.ts";
import { type Row, between, read, real, rowsOf, sent } from "./row.ts";

const text = { type: "string" };
const list = { type: "array", items: text };

/** Schemas that accept the same values, with the same effect in each direction and in both roles. */
const equal: readonly [name: string, one: Json, other: Json][] = [
  ["a list of types as a union", { type: ["string", "integer"] }, { anyOf: [text, { type: "integer" }] }],
  ["a list of types as a union of one each", { type: ["string", "integer"] }, { oneOf: [{ type: "integer" }, text] }],
  [
    "a list of types with their keywords as a union",
    { type: ["string", "integer", "null"], minLength: 1, minimum: 0 },
    { anyOf: [{ ...text, minLength: 1 }, { type: "integer", minimum: 0 }, { type: "null" }] },
  ],
  [
    "a nested union",
    { anyOf: [text, { anyOf: [{ type: "integer" }, { type: "boolean" }] }] },
    { anyOf: [text, { type: "integer" }, { type: "boolean" }] },
  ],
  [
    "a list of types within a union",
    { anyOf: [{ type: ["string", "integer"] }, { type: "boolean" }] },
    { anyOf: [text, { type: "integer" }, { type: "boolean" }] },
  ],
  [
    "one of types that exclude each other",
    { oneOf: [text, { type: "integer" }, list] },
    { anyOf: [text, { type: "integer" }, list] },
  ],
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
  [
    "the size of a number within its limits",
    { type: "integer", minimum: 1, maximum: 100 },
    { type: "integer", format: "int32", minimum: 1, maximum: 100 },
  ],
  [
    "the size of a number as its limits",
    { type: "integer", format: "int32" },
    { type: "integer", minimum: -2147483648, maximum: 2147483647 },
  ],
  ["a password", text, { ...text, format: "password" }],
  [
    "an open schema as a boolean",
    { type: "object", properties: { a: {} } },
    { type: "object", properties: { a: true } },
  ],
  ["a list that requires nothing", { type: "object", required: [] }, { type: "object" }],
  [
    "other properties that are only described",
    { type: "object", additionalProperties: true },
    { type: "object", additionalProperties: { description: "Any." } },
  ],
  [
    "a closed object with patterns by another keyword",
    { type: "object", patternProperties: { "^x-": text }, additionalProperties: false },
    { type: "object", patternProperties: { "^x-": text }, unevaluatedProperties: false },
  ],
  [
    "a closed tuple by another keyword",
    { type: "array", prefixItems: [text], items: false },
    { type: "array", prefixItems: [text], unevaluatedItems: false },
  ],
  [
    "names that are texts",
    { type: "object", propertyNames: { maxLength: 3 } },
    { type: "object", propertyNames: { ...text, maxLength: 3 } },
  ],
  ["a place of a tuple like the other items", list, { ...list, prefixItems: [text] }],
  [
    "names by a pattern like the others",
    { type: "object", additionalProperties: text },
    { type: "object", additionalProperties: text, patternProperties: { "^a": text } },
  ],
  ["a definition that nothing uses", text, { ...text, $defs: { Unused: text } }],
];

const object = (schema: Json): Json => ({ type: "object", properties: { a: schema } });

/** The same meaning in another form, in both directions, for what is sent and for what is read. */
const equals = equal.flatMap(([name, one, other]): Row[] => [
  sent(`${name}, from the short form`, object(one), object(other), "neutral or additive", "The meaning is the same."),
  sent(`${name}, to the short form`, object(other), object(one), "neutral or additive", "The meaning is the same."),
  read(`${name}, from the short form`, object(one), object(other), "neutral or additive", "The meaning is the same."),
  read(`${name}, to the short form`, object(other), object(one), "neutral or additive", "The meaning is the same."),
]);

const answers = (type: string, schema: Json = text): Json => ({
  "200": { description: "Done.", content: { [type]: { schema } } },
});
const body = (type: string): Json => ({ required: true, content: { [type]: { schema: text } } });

/** What a definition inside a schema says, at the place of its reference. */
const defined = (definition: Json): Json => ({
  type: "object",
  properties: { step: { $ref: "#/components/schemas/Order/$defs/Step" } },
  $defs: { Step: definition },
});

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
`),
  sent(
    "a definition inside the schema is stricter",
    defined(text),
    defined({ ...text, maxLength: 3 }),
    "breaking",
    "Longer texts were accepted.",
  ),
  sent(
    "a definition inside the schema is looser",
    defined({ ...text, maxLength: 3 }),
    defined(text),
    "additive",
    "More texts are accepted.",
  ),
  between(
    "a response states its charset",
    { operation: { responses: answers("application/json") } },
    { operation: { responses: answers("application/json; charset=utf-8") } },
    "neutral or warning",
    "JSON has one charset.",
  ),
  between(
    "a media type is written in capitals",
    { operation: { responses: answers("application/json") } },
    { operation: { responses: answers("application/JSON") } },
    "neutral or warning",
    "Media types ignore case.",
  ),
  between(
    "a request states its charset",
    { operation: { requestBody: body("application/json") } },
    { operation: { requestBody: body("Application/json;charset=UTF-8") } },
    "neutral or warning",
    "JSON has one charset.",
  ),
  between(
    "a media type has a profile",
    { operation: { responses: answers("application/json") } },
    { operation: { responses: answers("application/json; profile=short") } },
    "breaking",
    "Callers that request the other one get none.",
  ),
  between(
    "the schema behind a charset changes",
    { operation: { responses: answers("application/json") } },
    { operation: { responses: answers("application/JSON; charset=utf-8", { type: "number" }) } },
    "breaking",
    "Readers get another type.",
  ),
  real(
    "parameters are reordered",
    "training",
    (draft) => draft.list("models.checkpoints.list/parameters").reverse(),
    "neutral",
    "Their order has no meaning.",
  ),
  real(
    "a tag is renamed, with its operations",
    "training",
    (draft) => {
      const [first] = draft.list("/tags");
      if (first !== null && typeof first === "object" && !Array.isArray(first)) first["name"] = "Renamed";
      draft.set("models.create/tags", ["Renamed"]);
    },
    "neutral",
    "Requests and responses stay the same.",
  ),
];
