/** An example of each named schema, from the examples of the operations. */
import { hasType, isObject, jsonTypeOf, type JsonObject } from "@trainyard/core/validation";
import { locateIn, subschemas, typeName, type Document, type Located, combining } from "@trainyard/document";

const cache = new WeakMap<Document, ReadonlyMap<string, unknown>>();

/** For each schema, the first value of it in an example: of a request, of a response, or a part of one. */
export function examplesIn(document: Document): ReadonlyMap<string, unknown> {
  const cached = cache.get(document);
  if (cached !== undefined) return cached;
  const found = new Map<string, unknown>();
  const visit = (place: Located, value: unknown): void => {
    const name = typeName(place);
    if (name !== undefined && !found.has(name)) found.set(name, value);
    for (const { keys } of subschemas(place.node)) {
      const inner = locateIn(document.root, place, ...keys);
      for (const part of partsOf(value, keys, place.node)) if (fits(inner.node, part)) visit(inner, part);
    }
  };
  for (const { body, responses } of document.operations) {
    for (const { content } of [...(body === undefined ? [] : [body]), ...responses.values()])
      for (const { schema, item, examples } of content.values())
        for (const example of examples.values()) {
          if (schema !== undefined && typeof example !== "string") visit(schema, example);
          // A stream, or lines of JSON.
          if (item !== undefined && typeof example === "string")
            for (const [data] of example.matchAll(/\{.*\}/g)) visit(item, JSON.parse(data));
        }
  }
  for (const place of document.schemas.values()) {
    const [own] = Array.isArray(place.node["examples"]) ? place.node["examples"] : [];
    if (own !== undefined) visit(place, own);
  }
  cache.set(document, found);
  return found;
}

/** The parts of a value that a subschema describes, by its keys: `properties` and a name, `items`, `oneOf` and a number. */
function partsOf(value: unknown, [keyword, name = ""]: readonly (string | number)[], node: JsonObject): unknown[] {
  if (combining.some((key) => key === keyword)) return [value];
  if (keyword === "items") return Array.isArray(value) ? value : [];
  if (!isObject(value)) return [];
  if (keyword === "properties") return name in value ? [value[name]] : [];
  const own = isObject(node["properties"]) ? node["properties"] : {};
  return keyword === "additionalProperties"
    ? Object.entries(value).flatMap(([key, one]) => (key in own ? [] : [one]))
    : [];
}

/** Whether a value can be one of this schema: it has the type, the required properties and the constants. */
function fits(schema: JsonObject, value: unknown): boolean {
  const types = [schema["type"] ?? jsonTypeOf(value)].flat();
  if (!types.some((type) => hasType(value, type)) || ("const" in schema && schema["const"] !== value)) return false;
  if (!isObject(value)) return true;
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  return (
    required.every((name) => name in value) &&
    Object.entries(properties).every(
      ([name, of]) => !(name in value) || !isObject(of) || !("const" in of) || of["const"] === value[name],
    )
  );
}
