import { isObject, type JsonObject } from "./json.ts";
import { propertiesOf, tagOf } from "./open-set.ts";
import { pointerTokens } from "./pointer.ts";
import { followReference, type Lookup, when } from "./schema-types.ts";

/**
 * How to distinguish the objects of a union: by a property whose values differ from branch to branch, by the names that its
 * discriminator gives to branches, or, if one branch is itself such a union and the other an object without that property,
 * by the properties that the object requires.
 *
 * @returns undefined if nothing distinguishes them
 */
export function tagUnion(
  branches: readonly unknown[],
  exclusive: boolean,
  lookup: Lookup,
  union: JsonObject,
): JsonObject | undefined {
  const tag = tagOf(union);
  const members = branches.flatMap((branch) => membersOf(branch, lookup));
  const name = tag !== undefined && isTag(tag, members, lookup) ? tag : findTag(members, lookup);
  if (name !== undefined) return { type: "object", discriminator: { propertyName: name }, oneOf: members };
  const named = tag === undefined ? undefined : namedUnion(tag, branches, union, exclusive);
  return named ?? (exclusive ? undefined : unionOrObject(branches, lookup));
}

/**
 * A union whose tag has no values in the branches themselves: the mapping names the branches, or else their schemas' names
 * do. The tag only selects whose faults are reported: a value may match any branch; of a `oneOf`, only one if the tag names
 * none.
 */
function namedUnion(
  tag: string,
  branches: readonly unknown[],
  { discriminator }: JsonObject,
  exclusive: boolean,
): JsonObject | undefined {
  const mapping = Object.entries(Object(Object(discriminator).mapping));
  const names = branches.map((branch) => {
    const reference = isObject(branch) && typeof branch["$ref"] === "string" ? branch["$ref"] : "";
    const name = pointerTokens(reference).at(-1);
    const mapped = mapping.filter(([, target]) => target === reference || target === name).map(([value]) => value);
    return mapped.length > 0 ? mapped : name === undefined ? [] : [name];
  });
  if (names.some((values) => values.length === 0)) return undefined;
  const isOneOf = (values: readonly string[]) => ({ required: [tag], properties: { [tag]: { enum: values } } });
  const first = (schema: unknown, others: readonly unknown[], keyword = "anyOf") => ({
    anyOf: [schema, ...(others.length > 0 ? [{ not: { not: { [keyword]: others } } }] : [])],
  });
  const listed = isOneOf(names.flat());
  const each = branches.map((branch, index) =>
    when(isOneOf(names[index] ?? []), first(branch, branches.toSpliced(index, 1))),
  );
  return {
    type: "object",
    allOf: [...each, when({ not: listed }, first(listed, branches, exclusive ? "oneOf" : "anyOf"))],
  };
}

/**
 * `anyOf [union with a tag, object without it]`: the object is meant if all its required properties are present, or all but
 * one and no tag. Checking the tag first would reject an object that has it as an additional property.
 */
function unionOrObject(branches: readonly unknown[], lookup: Lookup): JsonObject | undefined {
  if (branches.length !== 2) return undefined;
  const union = branches.find((branch) => tagBehind(branch, lookup) !== undefined);
  const object = branches.find((branch) => branch !== union);
  const tag = tagBehind(union, lookup);
  const target = followReference(object, lookup);
  if (tag === undefined || !isObject(target) || propertiesOf(target)[tag] !== undefined) return undefined;
  const required = requiredOf(target);
  if (required.length === 0) return undefined;
  const lacksOne = required.map((name) => ({
    required: required.filter((other) => other !== name),
    not: { required: [tag] },
  }));
  const isMeant = { anyOf: [{ required }, ...(required.length > 1 ? lacksOne : [])] };
  return { type: "object", ...when(isMeant, object, union) };
}

/** The branches of a nested union, or the branch itself. */
function membersOf(branch: unknown, lookup: Lookup): unknown[] {
  const target = followReference(branch, lookup);
  if (!isObject(target) || tagOf(target) === undefined) return [branch];
  const inner = [target["oneOf"] ?? target["anyOf"]].flat();
  return inner.every((item) => isObject(item) && typeof item["$ref"] === "string")
    ? inner.flatMap((item) => membersOf({ $ref: isObject(item) ? item["$ref"] : "" }, lookup))
    : [branch];
}

function tagBehind(schema: unknown, lookup: Lookup): string | undefined {
  const target = followReference(schema, lookup);
  return isObject(target) ? tagOf(target) : undefined;
}

function findTag(members: readonly unknown[], lookup: Lookup): string | undefined {
  const first = followReference(members[0], lookup);
  return isObject(first) ? requiredOf(first).find((name) => isTag(name, members, lookup)) : undefined;
}

/** Whether every member requires the property, with distinct values. */
function isTag(name: string, members: readonly unknown[], lookup: Lookup): boolean {
  const taken = new Set<unknown>();
  return members.every((member) => {
    const target = followReference(member, lookup);
    if (!isObject(target) || !requiredOf(target).includes(name)) return false;
    // A reference beside other keywords means more than its target.
    if (isObject(member) && "$ref" in member && Object.keys(member).length > 1) return false;
    const property = propertiesOf(target)[name];
    if (!isObject(property)) return false;
    const values = "const" in property ? [property["const"]] : [property["enum"] ?? []].flat();
    const fresh = values.every((value) => typeof value === "string" && !taken.has(value));
    for (const value of values) taken.add(value);
    return fresh && values.length > 0;
  });
}

function requiredOf(schema: JsonObject): string[] {
  return [schema["required"] ?? []].flat().filter((name) => typeof name === "string");
}
