import { isObject, typesOf, type JsonType } from "@trainyard/core/validation";
import {
  declaresProperty,
  everySchema,
  findProperty,
  locate,
  schemaName,
  subschemas,
  type Document,
} from "@trainyard/document";
import type { Schema } from "@trainyard/document/files";

/** Keywords that a type can say of an object. */
const ofObjects = ["required", "properties", "additionalProperties", "patternProperties"] as const;
/** Keywords that a type can say, beside those that join schemas. */
const telling = ["type", "const", "enum", "items", "prefixItems", "x-some", ...ofObjects] as const;
const moving = new Set<string>([...telling, "minItems", "maxItems"]);
const joining = ["$ref", "allOf", "anyOf", "oneOf"] as const;
const everyType: readonly JsonType[] = ["object", "string", "number", "boolean", "array", "null"];

type Lookup = (reference: string) => Schema;

interface Rewriting {
  readonly lookup: Lookup;
  readonly seen: Set<Schema>;
  /** The members of others, which are rewritten there. */
  readonly copied: Set<Schema>;
  /** Is told each name that is required and nowhere declared. */
  readonly onUndeclared: (name: string) => unknown;
}

/**
 * Rewrites the schemas of a document, in place, into others of the same meaning of which openapi-typescript writes the type
 * that validators check. It reads `anyOf` beside other keywords as "or", reads nothing beside a `$ref`, and requires only
 * properties of the same schema. So what holds together becomes one `allOf`, of which each member says its part by itself:
 * the properties that it requires, and the JSON types that the other members leave to it.
 *
 * @param note is told what the document requires and does not declare
 */
export function plainSchemas(
  document: Pick<Document, "root" | "operations">,
  note: (sentence: string) => unknown = () => undefined,
): void {
  const lookup: Lookup = (reference) => locate(document.root, reference).node;
  const all = everySchema(document);
  for (const { node } of all) spellTypes(node, lookup);
  const seen = new Set<Schema>();
  const copied = new Set<Schema>();
  for (const { node, pointer } of all) {
    if (copied.has(node) && schemaName(pointer) === undefined) continue;
    const names = new Set<string>();
    rewrite(node, [], { lookup, seen, copied, onUndeclared: (name) => names.add(name) });
    for (const name of names)
      note(`${pointer}: \`${name}\` is required, and no schema declares it, so its type is unknown.`);
  }
}

/** Says null as a type, and leaves no value in a list that the type does not permit. What has properties is an object. */
function spellTypes(schema: Schema, lookup: Lookup): void {
  if (schema["nullable"] === true && schema.type !== undefined)
    schema.type = [...new Set([schema.type, "null"].flat())];
  delete schema["nullable"];
  if (schema.const === null) {
    schema.enum = [null];
    delete schema.const;
  }
  if (schema.type === undefined && schema.enum === undefined && !isEmpty("properties", schema)) schema.type = "object";
  if (schema.enum === undefined || schema.type === undefined) return;
  schema.enum = schema.enum.filter((value) => permits({ type: schema.type ?? [] }, value, lookup));
  if (Array.isArray(schema.type) && !schema.enum.includes(null))
    schema.type = schema.type.filter((one) => one !== "null");
}

/** @param beside the schemas that a value of this one must match, too */
function rewrite(schema: Schema, beside: readonly Schema[], rewriting: Rewriting): void {
  const { lookup, seen, copied } = rewriting;
  if (seen.has(schema)) return;
  seen.add(schema);
  // What is said of a member here is not said where it is referred to.
  const copies = (members: readonly Schema[] = []): Schema[] => {
    for (const one of members) copied.add(one);
    return members.map((one) => ({ ...one }));
  };
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  const parts = copies(allOf);
  const unions: Schema[] = [...(anyOf ? [{ anyOf: copies(anyOf) }] : []), ...(oneOf ? [{ oneOf: copies(oneOf) }] : [])];
  let members: Schema[] = [...($ref === undefined ? [] : [{ $ref }]), ...parts, ...unions];
  const others = (one: Schema): Schema[] => [...beside, own, ...members].filter((other) => other !== one);
  const isAlone = members.length === 1 && saysNothing(own) && beside.every(saysNothing);
  if (!isAlone) for (const union of unions) dropImpossible(union, others(union), lookup);
  if (keepPermitted(own, members, lookup)) members = [];
  giveRequired([own, ...parts]);
  declareRequired(own, others(own), rewriting);
  for (const part of parts) rewrite(part, others(part), rewriting);
  for (const union of unions) for (const choice of choicesOf(union)) rewrite(choice, others(union), rewriting);
  if (!isAlone) {
    for (const member of members.toReversed())
      if (isImplied(member, others(member), lookup)) members = members.filter((one) => one !== member);
    if (members.length > 0 && isImplied(own, others(own), lookup)) delete own.type;
    for (const member of [own, ...members]) onlyForbidNull(member, others(member), lookup);
    if (typesOf({ allOf: others({}) }, lookup).size === 0) {
      members = [];
      for (const key of telling) delete own[key];
      own.enum = [];
    }
  }
  for (const key of [...joining, ...telling]) delete schema[key];
  Object.assign(schema, own);
  const [only] = members;
  if (members.length === 1 && only && saysNothing(own) && !parts.includes(only)) Object.assign(schema, only);
  else if (members.length > 0) schema.allOf = [...takeOut(schema), ...members];
  for (const { keys, schema: inner } of subschemas(schema))
    if (!joining.some((key) => key === keys[0])) rewrite(inner, [], rewriting);
}

/** Of listed values, keeps those that the other members permit, which need not be said then. */
function keepPermitted(schema: Schema, members: readonly Schema[], lookup: Lookup): boolean {
  const listed = schema.const === undefined ? schema.enum : [schema.const];
  if (listed === undefined || members.length === 0 || listed.some((value) => isObject(value) || Array.isArray(value)))
    return false;
  const permitted = listed.filter((value) => members.every((one) => permits(one, value, lookup)));
  if (permitted.length < listed.length) {
    schema.enum = permitted;
    delete schema.const;
  }
  return true;
}

/** Whether a schema permits a value that is no object and no list. A reference in a circle permits all. */
function permits(schema: Schema, value: unknown, lookup: Lookup, depth = 8): boolean {
  const { $ref, type, const: only, enum: listed, allOf, anyOf, oneOf } = schema;
  const isPermitted = (one: Schema): boolean => depth === 0 || permits(one, value, lookup, depth - 1);
  return (
    ($ref === undefined || isPermitted(lookup($ref))) &&
    (type === undefined || isWithin(typesOf({ const: value }, lookup), typesOf({ type }, lookup))) &&
    (only === undefined || only === value) &&
    listed?.includes(value) !== false &&
    allOf?.every(isPermitted) !== false &&
    [anyOf, oneOf].every((union) => union?.some(isPermitted) !== false)
  );
}

/** Removes the choices of a union that have no type in common with what holds beside it. */
function dropImpossible(union: Schema, others: readonly Schema[], lookup: Lookup): void {
  const permitted = typesOf({ allOf: others }, lookup);
  for (const key of ["anyOf", "oneOf"] as const) {
    const possible = union[key]?.filter((one) => [...typesOf(one, lookup)].some((type) => permitted.has(type))) ?? [];
    if (possible.length > 0) union[key] = possible;
  }
}

/** Among schemas that hold together, the one that declares a property requires it for all. */
function giveRequired(together: readonly Schema[]): void {
  for (const one of together) {
    const kept = one.required?.filter((name) => {
      const owner =
        [one, ...together].find(({ properties }) => !saysNothing(properties?.[name] ?? {})) ??
        together.find(({ required }) => required?.includes(name));
      if (owner === undefined || owner === one) return true;
      owner.required = [...new Set([...(owner.required ?? []), name])];
      return false;
    });
    if (kept && kept.length < (one.required?.length ?? 0)) one.required = kept;
  }
}

/** Gives a schema each property that it requires, as another declares it, and the types that the others leave to it. */
function declareRequired(schema: Schema, others: readonly Schema[], { lookup, onUndeclared }: Rewriting): void {
  const { required = [], properties = {} } = schema;
  if (required.length === 0) return;
  const permitted = typesOf({ allOf: [schema, ...others] }, lookup);
  const isListed = schema.enum !== undefined || schema.const !== undefined;
  if (isListed || !permitted.has("object")) return void delete schema.required;
  const types = everyType.filter((type) => permitted.has(type));
  schema.type ??= types.length === 1 ? "object" : types;
  for (const name of required) {
    const own = properties[name];
    if (own !== undefined && !saysNothing(own)) continue;
    const found = findProperty({ ...schema, allOf: others }, name, lookup);
    if (found) schema.properties = { ...schema.properties, [name]: { ...shortly(found), ...own } };
    else if (own === undefined) {
      const isDeclared = others.some((one) => declaresProperty(one, name, lookup));
      if (!isDeclared) onUndeclared(name);
      schema.properties = { ...schema.properties, [name]: isDeclared ? { "x-some": true } : {} };
    }
  }
}

/** The type of a property again, if it is short; else only that it is there, which is enough beside its declaration. */
function shortly(property: Schema): Schema {
  const { $ref, type, enum: listed, const: only, readOnly, writeOnly } = property;
  const said = {
    ...($ref && { $ref }),
    ...(type && { type }),
    ...(listed && { enum: listed }),
    ...(only !== undefined && { const: only }),
  };
  const marks = { ...(readOnly === true && { readOnly }), ...(writeOnly === true && { writeOnly }) };
  const isScalar = [type].flat().every((one) => one !== "object" && one !== "array");
  const isWhole = [...joining, ...telling].every((key) => property[key] === undefined || key in said);
  const isShort = isScalar && isWhole && !saysNothing(said) && JSON.stringify(said).length < 80;
  return { ...marks, ...(isShort ? said : { "x-some": true }) };
}

/** Whether each value that matches the others matches this one, too, as far as types can tell. */
function isImplied(schema: Schema, others: readonly Schema[], lookup: Lookup): boolean {
  const keys = keysOf(schema);
  if (keys.length === 0) return true;
  const [key] = keys;
  if (keys.length > 1) return false;
  if (key === "anyOf" || key === "oneOf") return choicesOf(schema).some((one) => isImplied(one, others, lookup));
  return key === "type" && isWithin(typesOf({ allOf: others }, lookup), typesOf({ type: schema.type }, lookup));
}

/**
 * Takes out of a schema what openapi-typescript does not write beside an `allOf`: several types, listed values, and that a
 * value is any object.
 */
function takeOut(schema: Schema): Schema[] {
  const isObjects = ofObjects.some((key) => !isEmpty(key, schema));
  const isListed = schema.const !== undefined || schema.enum !== undefined;
  const isWritten = typeof schema.type === "string" && (schema.type !== "object" || isObjects) && !isListed;
  if (saysNothing(schema) || isWritten) return [];
  const taken = Object.entries(schema).filter(([key]) => moving.has(key));
  for (const [key] of taken) delete schema[key];
  return [Object.fromEntries(taken)];
}

/** Where the types of a schema only forbid null, it says no more than that a value is there. */
function onlyForbidNull(schema: Schema, others: readonly Schema[], lookup: Lookup): void {
  if (keysOf(schema).join() !== "type" || ![schema.type].flat().includes("object")) return;
  const permitted = typesOf({ type: schema.type }, lookup);
  const forbidden = [...typesOf({ allOf: others }, lookup)].filter((type) => !permitted.has(type));
  if (forbidden.join() === "null") schema["x-some"] = true;
}

/** The keywords of a schema that say something to a type. */
function keysOf(schema: Schema): (keyof Schema)[] {
  return [...joining, ...telling].filter((key) => !isEmpty(key, schema));
}

function saysNothing(schema: Schema): boolean {
  return keysOf(schema).length === 0;
}

/** Whether a keyword says nothing, such as `required: []`. Types do not close an object. */
function isEmpty(key: keyof Schema, schema: Schema): boolean {
  const value = schema[key];
  const isObject = typeof value === "object" && value !== null && key !== "const" && key !== "enum";
  return isObject
    ? Object.keys(value).length === 0
    : value === undefined || (typeof value === "boolean" && key !== "x-some");
}

function choicesOf({ anyOf, oneOf }: Schema): Schema[] {
  return anyOf ?? oneOf ?? [];
}

function isWithin<T>(some: ReadonlySet<T>, all: ReadonlySet<T>): boolean {
  return [...some].every((one) => all.has(one));
}
