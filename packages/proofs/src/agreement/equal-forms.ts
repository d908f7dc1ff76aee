/** Rewritings of a schema that leave its meaning as it is. Each returns the schema itself where it does not apply. */
import { listOf, mapParts, targetOf, type Schema, type Schemas } from "./node.ts";

export interface EqualForm {
  readonly name: string;
  /** @param add writes a new component, and returns a reference to it */
  readonly rewrite: (schema: Schema, schemas: Schemas, add: (schema: Schema) => Schema) => Schema;
}

/** A rewriting of each schema within a schema, the inner ones first. */
function everywhere(name: string, rewrite: (schema: Schema) => Schema): EqualForm {
  const below = (schema: Schema): Schema => rewrite(mapParts(schema, below));
  return { name, rewrite: below };
}

/** Keywords that look at what others beside them say, and words about the schema. */
const tied = [
  "additionalProperties",
  "items",
  "prefixItems",
  "then",
  "else",
  "discriminator",
  "x-extensible",
  "nullable",
];

/** Whether a keyword can be said in a schema of its own. */
const isFree = (schema: Schema): boolean => !tied.some((key) => key in schema);

/** The keywords without one of them. */
function without(schema: Schema, ...keys: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}

const count = (schema: Schema): number => Object.keys(schema).length;
const isNull = (schema: Schema): boolean => schema["type"] === "null" && count(schema) === 1;
const choices = ["anyOf", "oneOf"];

export const equalForms: readonly EqualForm[] = [
  everywhere("keywords beside a $ref in an allOf", (schema) => {
    const { $ref, ...rest } = schema;
    return $ref === undefined || count(rest) === 0 || !isFree(rest) ? schema : { allOf: [{ $ref }, rest] };
  }),
  everywhere("an allOf of a $ref and keywords beside the $ref", (schema) => {
    const [first = {}, second = {}, ...others] = listOf(schema, "allOf");
    const fits = targetOf(first) !== undefined && count(first) === 1 && targetOf(second) === undefined;
    return fits && isFree(second) && others.length === 0 && count(schema) === 1 ? { ...first, ...second } : schema;
  }),
  everywhere("a $ref in an allOf of one", (schema) =>
    "$ref" in schema
      ? { ...without(schema, "$ref"), allOf: [{ $ref: schema["$ref"] }, ...listOf(schema, "allOf")] }
      : schema,
  ),
  everywhere("each allOf flat", (schema) =>
    "allOf" in schema
      ? {
          ...schema,
          allOf: listOf(schema, "allOf").flatMap((one) =>
            count(one) === 1 && "allOf" in one ? listOf(one, "allOf") : [one],
          ),
        }
      : schema,
  ),
  everywhere("keywords beside an allOf in it", (schema) => {
    const { allOf, ...rest } = schema;
    return allOf === undefined || count(rest) === 0 || !isFree(rest)
      ? schema
      : { allOf: [...listOf(schema, "allOf"), rest] };
  }),
  everywhere("required beside an allOf", (schema) => {
    const members = listOf(schema, "allOf");
    const bare = members.filter((one) => count(one) === 1 && Array.isArray(one["required"]));
    if (bare.length === 0 || bare.length === members.length || "required" in schema) return schema;
    const required = [...new Set(bare.flatMap((one) => [one["required"] ?? []].flat()))];
    return { ...schema, allOf: members.filter((one) => !bare.includes(one)), required };
  }),
  everywhere("required in an allOf", (schema) => {
    const { required, ...rest } = schema;
    if (required === undefined || !("properties" in schema)) return schema;
    return { ...rest, allOf: [...listOf(schema, "allOf"), { required }] };
  }),
  everywhere("unions beside keywords in an allOf", (schema) => {
    const beside = choices.filter((key) => key in schema);
    const rest = without(schema, ...choices);
    if (beside.length === 0 || count(rest) === 0 || !isFree(schema)) return schema;
    return { ...rest, allOf: [...listOf(schema, "allOf"), ...beside.map((key) => ({ [key]: schema[key] }))] };
  }),
  everywhere("the only union of an allOf beside it", (schema) => {
    const members = listOf(schema, "allOf");
    const bare = members.filter((one) => count(one) === 1 && choices.some((key) => key in one));
    const [only] = bare;
    if (only === undefined || bare.length > 1 || choices.some((key) => key in schema)) return schema;
    const others = members.filter((one) => one !== only);
    return { ...without(schema, "allOf"), ...(others.length > 0 && { allOf: others }), ...only };
  }),
  everywhere("a list of types as a union", (schema) => {
    const { type } = schema;
    if (!Array.isArray(type) || count(schema) > 1) return schema;
    return { anyOf: type.map((one: unknown) => ({ type: one })) };
  }),
  everywhere("null beside a type as a union with null", (schema) => {
    const { type } = schema;
    if (!Array.isArray(type) || !type.includes("null") || "enum" in schema || choices.some((key) => key in schema))
      return schema;
    if (
      "allOf" in schema ||
      "$ref" in schema ||
      !isFree(without(schema, "additionalProperties", "items", "prefixItems"))
    )
      return schema;
    const others = type.filter((one) => one !== "null");
    return { anyOf: [{ ...schema, type: others.length === 1 ? others[0] : others }, { type: "null" }] };
  }),
  everywhere("a union with null by oneOf", (schema) => {
    const rest = without(schema, "anyOf");
    const members = listOf(schema, "anyOf");
    const [first = {}, second = {}] = members;
    const isPlain = "type" in first && ![first["type"]].flat().includes("null");
    return members.length === 2 && isNull(second) && isPlain && !("oneOf" in schema)
      ? { ...rest, oneOf: [first, second] }
      : schema;
  }),
  everywhere("null first in a union", (schema) => {
    const key = choices.find((one) => listOf(schema, one).some(isNull));
    if (key === undefined) return schema;
    const members = listOf(schema, key);
    return { ...schema, [key]: [...members.filter(isNull), ...members.filter((one) => !isNull(one))] };
  }),
  everywhere("null in a union of its own", (schema) => {
    const members = listOf(schema, "anyOf");
    const others = members.filter((one) => !isNull(one));
    if (others.length === members.length || others.length < 2) return schema;
    return { ...schema, anyOf: [{ anyOf: others }, { type: "null" }] };
  }),
  everywhere("a constant as an enumeration", (schema) => {
    const { const: only, ...rest } = schema;
    return only === undefined || "enum" in schema ? schema : { ...rest, enum: [only] };
  }),
  everywhere("an enumeration of one as a constant", (schema) => {
    const { enum: values, ...rest } = schema;
    return Array.isArray(values) && values.length === 1 ? { ...rest, const: values[0] } : schema;
  }),
  everywhere("an enumeration as constants", (schema) => {
    const { enum: values, ...rest } = schema;
    if (!Array.isArray(values) || choices.some((key) => key in schema) || "x-extensible" in schema) return schema;
    return { ...rest, oneOf: values.map((value: unknown) => ({ const: value })) };
  }),
  everywhere("constants as an enumeration", (schema) => {
    const rest = without(schema, "oneOf");
    const members = listOf(schema, "oneOf");
    const isList = members.length > 0 && members.every((one) => "const" in one) && !("enum" in schema);
    return isList ? { ...rest, enum: members.map((one) => one["const"]) } : schema;
  }),
  everywhere("members the other way round", (schema) => {
    const turned = ["allOf", "anyOf", "oneOf", "required", "enum"].filter((key) => Array.isArray(schema[key]));
    return { ...schema, ...Object.fromEntries(turned.map((key) => [key, [schema[key]].flat().toReversed()])) };
  }),
  everywhere("properties the other way round", (schema) =>
    "properties" in schema
      ? { ...schema, properties: Object.fromEntries(Object.entries(Object(schema["properties"])).toReversed()) }
      : schema,
  ),
  everywhere("unions in unions as one", (schema) => {
    const members = listOf(schema, "anyOf");
    const isInner = (one: Schema) => count(one) === 1 && "anyOf" in one;
    return members.some(isInner)
      ? { ...schema, anyOf: members.flatMap((one) => (isInner(one) ? listOf(one, "anyOf") : [one])) }
      : schema;
  }),
  everywhere("a union of one as an allOf", (schema) => {
    const key = choices.find((one) => listOf(schema, one).length === 1);
    if (key === undefined) return schema;
    return { ...without(schema, key), allOf: [...listOf(schema, "allOf"), ...listOf(schema, key)] };
  }),
  {
    name: "references as what they refer to",
    rewrite(schema, schemas) {
      const inline = (one: Schema, depth: number): Schema => {
        const target = schemas[targetOf(one) ?? ""];
        if (target === undefined || count(one) > 1) return mapParts(one, (part) => inline(part, depth));
        return depth > 0 ? inline(Object(target), depth - 1) : one;
      };
      // A discriminator names the components of its members.
      return JSON.stringify(schema).includes('"discriminator":') ? schema : inline(schema, 2);
    },
  },
  {
    name: "parts as components",
    rewrite: (schema, _, add) =>
      mapParts(schema, (part, key) => (count(part) === 0 || "$ref" in part || key === "not" ? part : add(part))),
  },
  {
    name: "the whole as a reference",
    rewrite: (schema, _, add) => (JSON.stringify(schema).includes('"discriminator":') ? schema : add(schema)),
  },
];
