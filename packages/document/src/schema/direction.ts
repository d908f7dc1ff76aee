import { isObject, resolvePointer, type JsonObject } from "@trainyard/core/validation";
import { everySchema } from "../every-schema.ts";
import { readDocument } from "../read-document.ts";

/** Where a value goes. */
export type Direction = "request" | "response";

/** The mark of properties that values of a direction need not have. */
const marks = { request: "readOnly", response: "writeOnly" } as const;

export const directions: readonly Direction[] = ["request", "response"];

const unions = ["anyOf", "oneOf"];

/** A schema, and what its values match, too: the target of its reference and the members of its `allOf`. */
function together(root: object, schema: unknown, seen: Set<JsonObject> = new Set<JsonObject>()): Set<JsonObject> {
  if (!isObject(schema) || seen.has(schema)) return seen;
  seen.add(schema);
  const { $ref, allOf } = schema;
  if (typeof $ref === "string") together(root, resolvePointer(root, $ref), seen);
  for (const member of [allOf ?? []].flat()) together(root, member, seen);
  return seen;
}

/** Whether the schema of a property says that values of a direction need not have it. */
export function isAbsent(root: object, property: unknown, direction: Direction): boolean {
  return [...together(root, property)].some((one) => one[marks[direction]] === true);
}

/** The properties of a schema that values of a direction need not have: in a union, in each member that declares them. */
export function absentIn(root: object, schema: unknown, direction: Direction): ReadonlySet<unknown> {
  return new Set([...declared(root, schema, direction)].flatMap(([name, isLeftOut]) => (isLeftOut ? [name] : [])));
}

function declared(root: object, schema: unknown, to: Direction, seen: Set<unknown> = new Set()): Map<string, boolean> {
  const names = new Map<string, boolean>();
  const add = (name: string, isLeftOut: boolean) => names.set(name, names.get(name) === true || isLeftOut);
  if (seen.has(schema)) return names;
  seen.add(schema);
  for (const node of together(root, schema)) {
    for (const [name, one] of Object.entries(Object(node["properties"]))) add(name, isAbsent(root, one, to));
    for (const union of unions) {
      const members = [node[union] ?? []].flat().map((member) => declared(root, member, to, seen));
      for (const name of members.flatMap((member) => [...member.keys()]))
        add(name, !members.some((member) => member.get(name) === false));
    }
  }
  return names;
}

/** A schema and the schemas in it that judge the same value. */
function inPlace(schema: JsonObject): JsonObject[] {
  const members = [...unions, "allOf", "then", "else"].flatMap((key) => [schema[key] ?? []].flat());
  return [schema, ...members.filter(isObject).flatMap(inPlace)];
}

/**
 * Lets a schema require only what values of a direction have. What it refers to and what it contains stay as they are.
 *
 * @param changes whether the schema is changed. Default: true
 * @returns whether it requires something else
 */
export function requireIn(root: object, schema: JsonObject, direction: Direction, changes = true): boolean {
  const parts = inPlace(schema).filter(({ required }) => Array.isArray(required) && required.length > 0);
  // Most schemas require nothing, and their references need not be followed.
  const absent = parts.length === 0 ? new Set() : absentIn(root, schema, direction);
  const others = parts.filter(({ required }) => [required].flat().some((name) => absent.has(name)));
  for (const part of changes ? others : []) {
    const required = [part["required"]].flat().filter((name) => !absent.has(name));
    if (required.length > 0) part["required"] = required;
    else delete part["required"];
  }
  return others.length > 0;
}

/** Whether a property in a document has a mark. */
export function hasDirections(root: object): boolean {
  return /"(?:read|write)Only":true/.test(JSON.stringify(root));
}

/** A copy of a document whose schemas require only what values of a direction have; without marks, the document itself. */
export function inDirection(root: object, direction: Direction): object {
  if (!hasDirections(root)) return root;
  const copy = structuredClone(root);
  for (const { node } of everySchema(readDocument(copy))) requireIn(copy, node, direction);
  return copy;
}
