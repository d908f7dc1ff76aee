import { extensions, type Holder, type JsonSchema } from "@trainyard/document";

/** The extensions that are allowed on a kind of object, each with its description. */
export function extensionsOn(kind: Holder): Record<string, JsonSchema> {
  return Object.fromEntries(
    [...extensions]
      .filter(([, { on }]) => on.includes(kind))
      .map(([key, { says, mustBe, schema }]) => [key, { description: `${says} It is ${mustBe}.`, ...schema }]),
  );
}

export type Properties = Readonly<Record<string, JsonSchema>>;

/** An object with these keys and no others, so that a misspelled key is an error. */
export function object(properties: Properties, required: readonly string[] = []): JsonSchema {
  return { type: "object", properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

/** An object whose keys the author chooses. */
export function mapOf(values: JsonSchema, description: string, names?: string): JsonSchema {
  const propertyNames = names === undefined ? {} : { propertyNames: { pattern: names } };
  return { type: "object", description, ...propertyNames, additionalProperties: values };
}

export function use(definition: string): JsonSchema {
  return { $ref: `#/$defs/${definition}` };
}

export function text(description: string): JsonSchema {
  return { type: "string", minLength: 1, description };
}

export const name: JsonSchema = { type: "string", minLength: 1 };

/** A union that reports only the errors of the branch that is meant, where `anyOf` reports those of both. */
function choice(when: JsonSchema, one: JsonSchema | boolean, other: JsonSchema): JsonSchema {
  // oxlint-disable-next-line unicorn/no-thenable -- A keyword of JSON Schema, in an object that nobody awaits.
  return { if: when, then: one, else: other };
}

/** A `$ref` alone, or the object itself. */
export function orReference(definition: string): JsonSchema {
  return choice({ required: ["$ref"] }, use("reference"), use(definition));
}

/** A `$ref` that names a file, relative to the file that contains it. */
export const target: JsonSchema = {
  type: "string",
  pattern: "^([^#]+\\.yaml)?(#/.*)?$",
  description: "Another file, relative to this one, or `#/` and a path in this one.",
};

const types = ["string", "number", "integer", "boolean", "object", "array", "null"];
const formats =
  "date-time date time duration uuid uri uri-reference email hostname ipv4 ipv6 regex password int32 int64 float double byte binary";
const size = (description: string): JsonSchema => ({ type: "integer", minimum: 0, description });
const number = (description: string): JsonSchema => ({ type: "number", description });
const some = (description: string): JsonSchema => ({
  type: "array",
  minItems: 1,
  items: use("schema"),
  description,
});

/** A schema of the documents: the keywords of JSON Schema 2020-12 that the generator and the mocks know. */
export const schemaObject: JsonSchema = object({
  $ref: target,
  title: text("The name of a variant of a union, as people read it."),
  description: text("What it means and in which unit, in a sentence. Do not repeat what a keyword says."),
  type: {
    description: 'The type, or a list of types. Nullable is `[string, "null"]`.',
    ...choice(
      { type: "array" },
      { type: "array", minItems: 2, uniqueItems: true, items: { enum: types } },
      { enum: types },
    ),
  },
  format: { enum: formats.split(" "), description: "The form of a string, or the width of a number." },
  enum: { type: "array", minItems: 1, uniqueItems: true, description: "All allowed values." },
  const: { description: "The only value." },
  default: { description: "The value that is used if it is omitted." },
  deprecated: { type: "boolean", description: "Whether it should no longer be used." },
  examples: { type: "array", description: "Valid values." },
  pattern: { type: "string", format: "regex", description: "An expression that a string matches." },
  minLength: size("The fewest characters."),
  maxLength: size("The most characters."),
  minimum: number("The smallest value."),
  maximum: number("The largest value."),
  exclusiveMinimum: number("All values are above it."),
  exclusiveMaximum: number("All values are below it."),
  multipleOf: { type: "number", exclusiveMinimum: 0, description: "All values are multiples of it." },
  items: { ...use("subschema"), description: "The schema of each item." },
  prefixItems: some("The schemas of the first items, in order."),
  minItems: size("The fewest items."),
  maxItems: size("The most items."),
  uniqueItems: { type: "boolean", description: "Whether no two items are the same." },
  required: { type: "array", uniqueItems: true, items: name, description: "The properties that are always present." },
  properties: mapOf(use("schema"), "The properties by name."),
  patternProperties: mapOf(use("schema"), "The properties whose names match an expression."),
  additionalProperties: {
    ...use("subschema"),
    description: "`true` allows additional properties, `false` rejects them, and a schema describes them.",
  },
  propertyNames: { ...use("schema"), description: "The schema of the properties' names." },
  minProperties: size("The fewest properties."),
  maxProperties: size("The most properties."),
  allOf: some("A value matches all of these."),
  anyOf: some("A value matches at least one of these."),
  oneOf: some("A value matches exactly one of these."),
  not: { ...use("schema"), description: "A value does not match this." },
  discriminator: {
    ...object(
      {
        propertyName: text("The property that distinguishes the variants."),
        mapping: mapOf({ type: "string", pattern: "\\.yaml$" }, "The file of each variant, by the property's value."),
      },
      ["propertyName", "mapping"],
    ),
    description: "How the variants of a union are distinguished.",
  },
  contentMediaType: text("The media type of what the string holds."),
  contentSchema: { ...use("schema"), description: "What the string holds: of a stream, the data of each event." },
  ...extensionsOn("Schema"),
});

/** A schema, or a boolean that allows everything or nothing. */
export const subschema: JsonSchema = choice({ type: "boolean" }, true, use("schema"));
