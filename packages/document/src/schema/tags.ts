import { isObject, keywordsIn, pointerTokens, resolvePointer, type JsonObject } from "@trainyard/core/validation";
import { everySchema } from "../every-schema.ts";
import { locate, locateIn, referredName, schemaName } from "../locate.ts";
import { readDocument } from "../read-document.ts";
import { findProperty } from "./parts.ts";

const tagged = new WeakMap<object, object>();

/**
 * A document whose discriminators are written in the schemas that they tell apart: a component whose tag may be any text gets
 * the values that lead to it, as JSON Schema has them. So types narrow by them, and validators and samples have them. A tag
 * with values of its own keeps those, and none becomes required. Without anything to write it is the same document, which
 * does not change.
 */
export function withTags<Root extends object>(root: Root): Root {
  const existing = tagged.get(root);
  if (existing !== undefined) return existing as Root;
  const schemas = JSON.stringify(root).includes('"discriminator":') ? taggedSchemas(root) : [];
  const { components }: JsonObject = Object(root);
  const written = { ...Object(Object(components).schemas), ...Object.fromEntries(schemas) };
  const result = schemas.length > 0 ? { ...root, components: { ...Object(components), schemas: written } } : root;
  tagged.set(root, result);
  return result;
}

function taggedSchemas(root: object): [name: string, schema: JsonObject][] {
  const { node: schemas } = locate(root, "#/components/schemas");
  const bases = new Set(Object.values(schemas).flatMap((one) => referredIn(Object(one).allOf)));
  return [...tagsOf(root, schemas)].flatMap(([name, tags]): [string, JsonObject][] => {
    const { [name]: schema } = schemas;
    const [tag, ...others] = tags;
    // What others extend has their tags, too.
    if (!isObject(schema) || tag === undefined || others.length > 0 || bases.has(name)) return [];
    const written = withTag(root, schema, ...tag);
    return written ? [[name, written]] : [];
  });
}

/** The values that lead to each component, by property: as a member of unions, and as one that extends a base. */
function tagsOf(root: object, schemas: JsonObject): Map<string, Map<string, Set<string>>> {
  const tags = new Map<string, Map<string, Set<string>>>();
  for (const { node, pointer } of everySchema(readDocument(root))) {
    const { propertyName: property, mapping }: JsonObject = Object(node["discriminator"]);
    if (typeof property !== "string") continue;
    const union = [node["oneOf"] ?? node["anyOf"] ?? []].flat();
    const base = schemaName(pointer);
    const extending = Object.keys(schemas).filter(
      (name) => base !== undefined && referredIn(Object(schemas[name]).allOf).includes(base),
    );
    for (const name of new Set(union.length > 0 ? referredIn(union) : extending)) {
      const mapped = Object.entries(Object(mapping)).filter(
        ([, to]) => to === name || pointerTokens(String(to)).at(-1) === name,
      );
      const own = tags.get(name) ?? new Map<string, Set<string>>();
      const values = own.get(property) ?? new Set();
      for (const [value] of mapped.length > 0 ? mapped : [[name]]) values.add(value);
      tags.set(name, own.set(property, values));
    }
  }
  return tags;
}

/** The schema with the values of its tag; undefined if it has others, or may have some that no value leads to. */
function withTag(
  root: object,
  schema: JsonObject,
  property: string,
  values: ReadonlySet<string>,
): JsonObject | undefined {
  const found = findProperty(schema, property, (reference) => resolvePointer(root, reference));
  const { node: declared } = locateIn(root, { node: { found }, pointer: "" }, "found");
  const { type, enum: listed, description } = declared;
  const isElse = keywordsIn(declared).some((key) => key !== "type" && key !== "enum");
  const isText = type === "string" || (type === undefined && Array.isArray(listed));
  const isWider =
    !Array.isArray(listed) || (listed.length > values.size && [...values].every((one) => listed.includes(one)));
  if (isElse || !isText || !isWider) return undefined;
  const tag = { ...(description !== undefined && { description }), type: "string", enum: [...values] };
  const given = (one: JsonObject) => ({ ...one, properties: { ...Object(one["properties"]), [property]: tag } });
  const parts: unknown[] = [schema["allOf"] ?? []].flat();
  if (parts.length === 0 || isObject(schema["properties"])) return given(schema);
  const own = parts.findLast((part) => isObject(part) && isObject(part["properties"]) && part["$ref"] === undefined);
  const all =
    own === undefined ? [...parts, given({ type: "object" })] : parts.with(parts.indexOf(own), given(Object(own)));
  return { ...schema, allOf: all };
}

/** The components that schemas refer to: the members of a union, or what an `allOf` extends. */
function referredIn(schemas: unknown): string[] {
  return [schemas ?? []].flat().flatMap((one) => referredName(one) ?? []);
}
