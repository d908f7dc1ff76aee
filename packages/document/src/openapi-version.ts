import { isObject, memberAt, type JsonObject } from "@trainyard/core/validation";
import { httpMethods, operationKeys } from "./http-method.ts";
import { eventsOf, isEvent, isLines, type Media } from "./media.ts";
import { locateAll, locateIn } from "./locate.ts";
import { readOperations } from "./read-document.ts";

/** The keywords that define the data of an event. The other keywords of a stream's schema only describe it. */
const data = new Set(["type", "contentMediaType", "contentEncoding", "contentSchema"]);
/** The keywords that define an event. The other keywords of its schema only describe it. */
const event = new Set(["type", "required", "properties"]);

/**
 * Converts a bundle from OpenAPI 3.1 to 3.2: the schema of a stream's events moves to `itemSchema`, and the text of a
 * stream example to `serializedValue`, and methods that OpenAPI does not name to `additionalOperations`. Nothing else
 * differs; {@link asOpenApi31} reverses it.
 */
export function asOpenApi32<Bundle extends object>(bundle: Bundle): Bundle {
  const whole = translate(bundle, "3.2.0", ["value", "serializedValue"], ({ schema, ...rest }) => {
    if (!isObject(schema) || schema["contentSchema"] === undefined) return undefined;
    const [content, documentation] = divide(schema, data);
    return {
      ...rest,
      itemSchema: { ...documentation, type: "object", required: ["data"], properties: { data: content } },
    };
  });
  for (const item of itemsOf(whole)) {
    const further = operationKeys(item).filter((key) => !httpMethods.some((one) => one === key));
    if (further.length === 0) continue;
    item["additionalOperations"] = Object.fromEntries(further.map((key) => [key, item[key]]));
    for (const key of further) delete item[key];
  }
  return whole;
}

/** Converts a bundle from OpenAPI 3.2 to 3.1, which code is generated from. A 3.1 bundle is returned unchanged. */
export function asOpenApi31<Bundle extends object>(bundle: Bundle): Bundle {
  if (!("openapi" in bundle) || !String(bundle.openapi).startsWith("3.2.")) return bundle;
  const flat = structuredClone(bundle);
  for (const item of itemsOf(flat)) {
    const { additionalOperations, ...others } = item;
    if (!isObject(additionalOperations)) continue;
    delete item["additionalOperations"];
    Object.assign(item, additionalOperations, others);
  }
  return translate(flat, "3.1.0", ["serializedValue", "value"], ({ itemSchema, ...rest }, media) => {
    if (isLines(media)) return undefined;
    const union = dataOfUnion(flat, itemSchema);
    if (union) return { ...rest, itemSchema: { oneOf: union } };
    if (!isObject(itemSchema) || !isEvent(itemSchema)) return undefined;
    const [{ properties }, documentation] = divide(itemSchema, event);
    return isObject(properties) && isObject(properties["data"])
      ? { ...rest, schema: { ...documentation, ...properties["data"] } }
      : undefined;
  });
}

/** What a union of events has as their data, without the end of the stream; undefined if that is not always JSON. */
function dataOfUnion(root: object, schema: unknown): JsonObject[] | undefined {
  const { node } = locateIn(root, { node: { schema }, pointer: "" }, "schema");
  const members = node["oneOf"] ?? node["anyOf"];
  if (!Array.isArray(members)) return undefined;
  const all = members.map((member: unknown) => {
    const { node: event } = locateIn(root, { node: { member }, pointer: "" }, "member");
    const data = memberAt(event, ["properties", "data"]);
    if (!isObject(data) || !isEvent(event)) return dataOfUnion(root, member);
    if (data["const"] === "[DONE]") return [];
    return isObject(data["contentSchema"]) ? [data["contentSchema"]] : data["type"] === "string" ? undefined : [data];
  });
  return all.includes(undefined) ? undefined : all.flatMap((one) => one ?? []);
}

/** A copy with each stream of events converted; a stream that operations share is converted once. */
function translate<Bundle extends object>(
  bundle: Bundle,
  openapi: string,
  [from, to]: readonly [string, string],
  rewritten: (node: JsonObject, media: Media) => JsonObject | undefined,
): Bundle {
  const copy = structuredClone(bundle);
  const done = new Set<JsonObject>();
  for (const { body, responses } of readOperations(copy)) {
    for (const { content } of [...responses.values(), ...(body ? [body] : [])]) {
      const media = eventsOf(content);
      if (media === undefined || done.has(media.node)) continue;
      done.add(media.node);
      const now = rewritten(media.node, media);
      if (now === undefined) continue;
      for (const [, { node }] of locateAll(copy, media, "examples")) {
        if (node[from] === undefined) continue;
        node[to] = node[from];
        delete node[from];
      }
      for (const key of Object.keys(media.node)) delete media.node[key];
      Object.assign(media.node, now);
    }
  }
  return Object.assign(copy, { openapi });
}

/** The path items of a bundle, also those of webhooks and components. */
function itemsOf(bundle: object): JsonObject[] {
  const places = [["paths"], ["webhooks"], ["components", "pathItems"]];
  return places.flatMap((keys) => Object.values(Object(memberAt(bundle, keys)))).filter(isObject);
}

function divide(object: JsonObject, keys: ReadonlySet<string>): [JsonObject, JsonObject] {
  const entries = Object.entries(object);
  const those = (chosen: boolean): JsonObject =>
    Object.fromEntries(entries.filter(([key]) => keys.has(key) === chosen));
  return [those(true), those(false)];
}
