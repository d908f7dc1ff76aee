import { isObject, isSchemaKeyword, pointerTokens, resolvePointer, type JsonObject } from "@trainyard/core/validation";
import { everySchema } from "../every-schema.ts";
import { referredName, schemaName } from "../locate.ts";
import { readDocument } from "../read-document.ts";
import { findProperty } from "./parts.ts";

/** The values of a discriminator that lead to a component. */
interface Tag {
  readonly property: string;
  readonly values: ReadonlySet<string>;
}

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
  const made = {
    ...root,
    components: { ...Object(components), schemas: { ...schemasOf(root), ...Object.fromEntries(schemas) } },
  };
  const result = schemas.length > 0 ? made : root;
  tagged.set(root, result);
  return result;
}

function taggedSchemas(root: object): [name: string, schema: JsonObject][] {
  const schemas = schemasOf(root);
  const bases = new Set(Object.values(schemas).flatMap(basesOf));
  return [...tagsOf(root)].flatMap(([name, tags]): [string, JsonObject][] => {
    const { [name]: schema } = schemas;
    const [tag] = tags;
    // What others extend has their tags, too.
    if (schema === undefined || tag === undefined || tags.length > 1 || bases.has(name)) return [];
    const written = withTag(root, schema, tag);
    return written ? [[name, written]] : [];
  });
}

/** The tags of each component, one for each property: as a member of unions, and as one that extends a base. */
function tagsOf(root: object): Map<string, Tag[]> {
  const schemas = schemasOf(root);
  const tags = new Map<string, Tag[]>();
  for (const { node, pointer } of everySchema(readDocument(root))) {
    const { discriminator, oneOf, anyOf } = node;
    const { propertyName: property, mapping }: JsonObject = Object(discriminator);
    if (typeof property !== "string") continue;
    const union = [oneOf ?? anyOf ?? []].flat();
    const base = schemaName(pointer);
    const extending = Object.keys(schemas).filter(
      (name) => base !== undefined && basesOf(schemas[name]).includes(base),
    );
    for (const name of new Set(union.length > 0 ? union.flatMap((one) => referredName(one) ?? []) : extending)) {
      const mapped = Object.entries(Object(mapping)).filter(
        ([, to]) => to === name || pointerTokens(String(to)).at(-1) === name,
      );
      const values = mapped.length > 0 ? mapped.map(([value]) => value) : [name];
      const known = tags.get(name) ?? [];
      const same = known.find((one) => one.property === property);
      const others = known.filter((one) => one !== same);
      tags.set(name, [...others, { property, values: new Set([...(same?.values ?? []), ...values]) }]);
    }
  }
  return tags;
}

/** The schema with the values of its tag; undefined if it has others, or may have some that no value leads to. */
function withTag(root: object, schema: JsonObject, { property, values }: Tag): JsonObject | undefined {
  const found = findProperty(schema, property, (reference) => resolvePointer(root, reference));
  const { $ref } = found ?? {};
  const declared = typeof $ref === "string" ? resolvePointer(root, $ref) : found;
  if (!isObject(declared)) return undefined;
  const { type, enum: listed, description } = declared;
  const isElse = Object.entries(declared).some(
    ([key, value]) => key !== "type" && key !== "enum" && isSchemaKeyword(key, value),
  );
  const isText = type === "string" || (type === undefined && Array.isArray(listed));
  const isWider =
    !Array.isArray(listed) || (listed.length > values.size && [...values].every((one) => listed.includes(one)));
  if (isElse || !isText || !isWider) return undefined;
  const properties = {
    [property]: { ...(description !== undefined && { description }), type: "string", enum: [...values] },
  };
  const parts: unknown[] = [schema["allOf"] ?? []].flat();
  if (parts.length === 0 || isObject(schema["properties"]))
    return { ...schema, properties: { ...Object(schema["properties"]), ...properties } };
  const own = parts.findLast((part) => isObject(part) && isObject(part["properties"]) && part["$ref"] === undefined);
  const merged = { ...Object(own), properties: { ...Object(Object(own).properties), ...properties } };
  return {
    ...schema,
    allOf: own ? parts.map((part) => (part === own ? merged : part)) : [...parts, { type: "object", ...merged }],
  };
}

function schemasOf(root: object): Record<string, JsonObject> {
  return { ...Object(Object(Object(root).components).schemas) };
}

/** The components that a schema extends. */
function basesOf(schema: JsonObject | undefined): string[] {
  return [schema?.["allOf"] ?? []].flat().flatMap((one) => referredName(one) ?? []);
}
