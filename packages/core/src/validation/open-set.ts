import { isObject, type JsonObject } from "./json.ts";
import { followReference, isAnnotation, jsonTypeOf, type Lookup, when } from "./schema-types.ts";

/** The members of a union that are objects, with references resolved. */
export function membersOf(union: JsonObject, lookup: Lookup): JsonObject[] {
  const branches = union["oneOf"] ?? union["anyOf"];
  return (Array.isArray(branches) ? branches : []).map((branch) => followReference(branch, lookup)).filter(isObject);
}

/** The discriminating property of a union, if the document names one. */
export function tagOf({ discriminator }: JsonObject): string | undefined {
  const name = isObject(discriminator) ? discriminator["propertyName"] : undefined;
  return typeof name === "string" ? name : undefined;
}

/**
 * The schema of a member that an open union does not list: a tag, and the required properties that all listed members
 * declare identically. Properties that they declare differently may have any value.
 */
export function unlistedMember(union: JsonObject, lookup: Lookup): JsonObject {
  const tag = tagOf(union) ?? "";
  const members = membersOf(union, lookup);
  const [first = {}] = members;
  const names = Object.keys(propertiesOf(first)).filter((name) => members.every((one) => name in propertiesOf(one)));
  const same = new Set(
    names.filter((name) => new Set(members.map((one) => JSON.stringify(plain(propertiesOf(one)[name])))).size === 1),
  );
  const schemaOf = (name: string): unknown => {
    if (name === tag) return { ...plainTag(propertiesOf(first)[name]), type: "string" };
    return same.has(name) ? propertiesOf(first)[name] : {};
  };
  return {
    type: "object",
    required: names.filter((name) => name === tag || (same.has(name) && members.every((one) => requires(one, name)))),
    properties: Object.fromEntries(names.map((name) => [name, schemaOf(name)])),
  };
}

/** Prepares an open union: a value with a listed tag is validated by its member, any other as an unlisted one. */
export function openUnion(union: JsonObject, closed: JsonObject, unlisted: unknown, lookup: Lookup): JsonObject {
  const tag = tagOf(union) ?? "";
  const listed = membersOf(union, lookup).flatMap((member) => {
    const property = propertiesOf(member)[tag];
    return isObject(property) ? ("const" in property ? [property["const"]] : [property["enum"] ?? []].flat()) : [];
  });
  const isListed = { type: "object", required: [tag], properties: { [tag]: { enum: listed } } };
  return when(isListed, closed, unlisted);
}

/** Prepares an open enumeration: only the JSON types of its values are checked. */
export function openEnumeration({ enum: values, ...rest }: JsonObject): JsonObject {
  return { type: [...new Set([values].flat().map(jsonTypeOf))], ...rest };
}

function plainTag(schema: unknown): JsonObject {
  return isObject(schema) && typeof schema["description"] === "string" ? { description: schema["description"] } : {};
}

function plain(schema: unknown): unknown {
  return isObject(schema) ? Object.entries(schema).filter(([key]) => !isAnnotation(key)) : schema;
}

function requires({ required }: JsonObject, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

/** The properties of a schema, by name. */
export function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {};
}
