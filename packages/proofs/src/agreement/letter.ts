/** What a document says to the letter, by Ajv alone: none of our code takes part. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { listOf, mapOf, mapParts, targetOf, type Schema, type Schemas } from "./node.ts";

/** Where a value goes. */
export type Direction = "request" | "response";

export const directions: readonly Direction[] = ["request", "response"];

/** Says whether a value is valid under a component. */
export type Judge = (name: string, value: unknown) => boolean;

/** The judge of components as they stand. */
export function judgeOf(schemas: Schemas): Judge {
  const ajv = new Ajv2020({ strict: false, logger: false, formats: fullFormats, meta: false, validateSchema: false });
  ajv.addSchema(withoutTags({ components: { schemas } }), "document");
  return (name, value) => ajv.getSchema(`document#/components/schemas/${name}`)?.(value) === true;
}

/** Ajv knows no discriminator with a mapping. */
function withoutTags(document: object): object {
  return JSON.parse(JSON.stringify(document, (key, value: unknown) => (key === "discriminator" ? undefined : value)));
}

/**
 * The components of which tools read more than the letter: those with a discriminator, those that it names, and what refers to
 * either of them.
 */
export function taggedIn(schemas: Schemas): ReadonlySet<string> {
  const texts = Object.entries(schemas).map(([name, schema]) => ({ name, text: JSON.stringify(schema) }));
  const isWithTag = ({ text }: { readonly text: string }) => text.includes('"discriminator":');
  const tagged = new Set(texts.filter(isWithTag).flatMap(({ name, text }) => [name, ...referencesIn(text)]));
  // A set yields what is added meanwhile.
  for (const one of tagged) for (const { name, text } of texts) if (referencesIn(text).includes(one)) tagged.add(name);
  return tagged;
}

function referencesIn(text: string): string[] {
  return [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = ""]) => name);
}

const inJsonSchema = new WeakMap<Schemas, Schemas>();

/** The components of a document of OpenAPI 3.0 in JSON Schema, with `nullable` as people use it. */
export function modern(schemas: Schemas): Schemas {
  const known = inJsonSchema.get(schemas);
  if (known !== undefined) return known;
  const made = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, nullAsType(Object(schema))]));
  inJsonSchema.set(schemas, made);
  return made;
}

function nullAsType(schema: Schema): Schema {
  const { nullable, ...rest } = mapParts(schema, nullAsType);
  if (nullable !== true) return rest;
  if (Object.keys(rest).length === 0) return { type: "null" };
  return rest["type"] === undefined ? { anyOf: [rest, { type: "null" }] } : { ...rest, type: [rest["type"], "null"] };
}

/** The components in one direction: what only the other one has is not required. */
export function directed(schemas: Schemas, direction: Direction): Schemas {
  const mark = direction === "request" ? "readOnly" : "writeOnly";
  const target = (schema: Schema): Schema => Object(schemas[targetOf(schema) ?? ""] ?? {});
  const isMarked = (property: Schema): boolean =>
    property[mark] === true || [target(property), ...listOf(property, "allOf")].some((one) => one[mark] === true);
  /** The marked properties of a schema and of what holds together with it. */
  const markedIn = (schema: Schema): string[] => [
    ...mapOf(schema, "properties").flatMap(([name, property]) => (isMarked(Object(property)) ? [name] : [])),
    ...[...listOf(schema, "allOf"), ...(targetOf(schema) === undefined ? [] : [target(schema)])].flatMap(markedIn),
  ];
  const reduced = (schema: Schema, around: readonly string[] = []): Schema => {
    const marked = [...around, ...markedIn(schema)];
    const isWhole = (key: string) => !["allOf", "anyOf", "oneOf"].includes(key);
    const parts = mapParts(schema, (part, key) => reduced(part, isWhole(key) ? [] : marked));
    const { required, ...rest } = parts;
    if (!Array.isArray(required)) return parts;
    return { ...rest, required: required.filter((name) => !marked.includes(name)) };
  };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, reduced(Object(schema))]));
}

/** The components with open enumerations: only the types of their values count. */
export function opened(schemas: Schemas): Schemas {
  const open = (schema: Schema): Schema => {
    const { enum: values, ...rest } = mapParts(schema, open);
    if (!Array.isArray(values)) return rest;
    if (schema["x-extensible"] !== true) return { ...rest, enum: values };
    return { ...rest, type: [...new Set(values.map((value) => (value === null ? "null" : typeof value)))] };
  };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, open(Object(schema))]));
}
