import { resolvePointer, type JsonObject } from "@trainyard/core/validation";
import { everySchema } from "../every-schema.ts";
import type { Located } from "../locate.ts";
import { readDocument } from "../read-document.ts";
import { nodeAt } from "./node.ts";
import { combining, partsOf } from "./parts.ts";
import { schemaView } from "./view.ts";

/** Where a value goes. */
export type Direction = "request" | "response";

/** The mark of properties that values of a direction need not have. */
const marks = { request: "readOnly", response: "writeOnly" } as const;

export const directions: readonly Direction[] = ["request", "response"];

/** A schema, and the schemas that judge the same values, or some of them; also those that references lead to. */
function together(root: object, schema: unknown): JsonObject[] {
  const members = (one: JsonObject) => [...combining, "then", "else"].map((key) => one[key]);
  return partsOf(schema, (reference) => resolvePointer(root, reference), members);
}

/** Whether the schema of a property says that values of a direction need not have it. */
export function isAbsent(root: object, property: unknown, direction: Direction): boolean {
  return together(root, property).some((one) => one[marks[direction]] === true);
}

/** The properties of a schema that values of a direction need not have. */
export function absentIn(root: object, schema: JsonObject, direction: Direction): ReadonlySet<unknown> {
  const declared = together(root, schema).flatMap(({ properties }) => Object.entries(Object(properties)));
  return new Set(declared.filter(([, one]) => isAbsent(root, one, direction)).map(([name]) => name));
}

/** The names of the properties that values of a direction must have, by whichever member of an `allOf`. */
export function requiredIn(root: object, { node, pointer }: Located, direction: Direction): string[] {
  const named = schemaView(root, nodeAt(root, pointer.replace(/^#/, ""))).keys.get("required")?.value;
  const absent = absentIn(root, node, direction);
  return [named ?? []]
    .flat()
    .map(String)
    .filter((name) => !absent.has(name));
}

/**
 * Lets a schema require only what values of a direction have. What it refers to and what it contains stay as they are.
 *
 * @param changes whether the schema is changed. Default: true
 * @returns whether it requires something else
 */
export function requireIn(root: object, schema: JsonObject, direction: Direction, changes = true): boolean {
  const parts = together({}, schema).filter(({ required }) => Array.isArray(required) && required.length > 0);
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

/** Whether the text of a document has a mark. Only then is it worth looking for the properties that have one. */
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
