import { isObject, type JsonObject } from "@trainyard/core/validation";
import { locateAll, locateIn, schemaName, type Located } from "./locate.ts";

/** How a body is read and written. `any` is a range of media types: what arrives decides. */
export type MediaKind = "json" | "events" | "form" | "multipart" | "text" | "bytes" | "any";

/** A media type without its parameters, in lower case: `application/json` for `application/JSON; charset=utf-8`. */
export function essenceOf(mediaType: string): string {
  return mediaType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** How a body of a media type is read and written, whatever its parameters and case. */
export function mediaKind(mediaType: string): MediaKind {
  const essence = essenceOf(mediaType);
  if (/^((application|text)\/json|.+\+json)$/.test(essence)) return "json";
  if (essence === "text/event-stream") return "events";
  if (essence === "application/x-www-form-urlencoded") return "form";
  if (essence === "multipart/form-data") return "multipart";
  if (/^(text\/.*|application\/(xml|jsonl|(x-)?(ndjson|yaml|javascript))|.+\+xml)$/.test(essence)) return "text";
  return /^(\*|application)\/\*$/.test(essence) ? "any" : "bytes";
}

/** The declared body that a media type fits: by its name, else by a range such as `image/*`. */
export function mediaFor(content: ReadonlyMap<string, Media>, mediaType: string): Media | undefined {
  const essence = essenceOf(mediaType);
  for (const wanted of [essence, essence.replace(/\/.*/, "/*"), "*/*"])
    for (const media of content.values()) if (essenceOf(media.mediaType) === wanted) return media;
  return undefined;
}

/** One body of a request or response, in one media type. */
export interface Media extends Located {
  readonly mediaType: string;
  /** The schema of the body; for a stream, of its whole text. References are resolved. Undefined if the document has none. */
  readonly schema: Located | undefined;
  /** The schema of one event of a stream, or of one line of `application/jsonl`: the `contentSchema`. */
  readonly item: Located | undefined;
  /** Values by the name of their example, in the order of the document. An unnamed example is called `default`. */
  readonly examples: ReadonlyMap<string, unknown>;
}

/** The bodies of a request or response, by media type. */
export function readContent(document: object, holder: Located): Map<string, Media> {
  return new Map(
    locateAll(document, holder, "content").map(([mediaType, media]): [string, Media] => {
      const schema = schemaBelow(document, media, "schema");
      const item = itemOf(document, mediaType, media, schema);
      return [mediaType, { ...media, mediaType, schema, item, examples: readExamples(document, media) }];
    }),
  );
}

/** The examples of a body, a parameter or a header. One without a value, as with a summary alone, is none. */
export function readExamples(document: object, holder: Located): Map<string, unknown> {
  // OpenAPI 3.2 has two names for it.
  const valued = locateAll(document, holder, "examples").flatMap(([name, { node }]): [string, unknown][] => {
    const key = ["value", "dataValue"].find((one) => one in node);
    return key === undefined ? [] : [[name, node[key]]];
  });
  const examples = new Map(valued);
  if ("example" in holder.node) examples.set("default", holder.node["example"]);
  return examples;
}

/** The JSON body. `application/json` is preferred to others. */
export function jsonOf(content: ReadonlyMap<string, Media>): Media | undefined {
  const all = [...content.values()].filter(({ mediaType }) => isJson(mediaType));
  return content.get("application/json") ?? all.find((one) => sentType(one) === "application/json") ?? all[0];
}

/** The body that is a stream: of events, or of lines. */
export function eventsOf(content: ReadonlyMap<string, Media>): Media | undefined {
  const all = [...content.values()];
  return all.find(({ mediaType }) => mediaKind(mediaType) === "events") ?? all.find(isLines);
}

/** Whether a body is lines of JSON. */
export function isLines({ mediaType }: Pick<Media, "mediaType">): boolean {
  return /^application\/(x-)?(ndjson|jsonl|json-lines|json-seq)$/.test(essenceOf(mediaType));
}

/** Kinds of media in the order in which an operation uses the first that it declares. */
const preferred: readonly MediaKind[] = ["json", "form", "multipart", "text", "any", "bytes", "events"];

/** The media of a body or answer, the preferred one first. Of those that are sent as one type, there is only one. */
export function preferredMedia(content: ReadonlyMap<string, Media>): Media[] {
  const json = jsonOf(content);
  const rank = (media: Media) => (media === json ? -1 : preferred.indexOf(mediaKind(media.mediaType)));
  const sorted = [...content.values()].toSorted((a, b) => rank(a) - rank(b));
  const types = sorted.map(sentType);
  return sorted.filter((media, index) => types.indexOf(sentType(media)) === index);
}

/** The media type that is sent and asked for: JSON by its plain name, whatever its parameters and case. */
export function sentType({ mediaType }: Media): string {
  return /^application\/(\*\+)?json\s*(;|$)/i.test(mediaType.trim()) ? "application/json" : mediaType;
}

/** Whether a media type is JSON: `application/json`, `application/problem+json; charset=utf-8`. */
export function isJson(mediaType: string): boolean {
  return mediaKind(mediaType) === "json";
}

/** The component name of a body's or item's schema; undefined for an inline schema. */
export function typeName(schema: Located | undefined): string | undefined {
  return schema && schemaName(schema.pointer);
}

/**
 * The schema of one item of a stream: `itemSchema` of OpenAPI 3.2, of an event that of its data; `contentSchema`; or, as most
 * documents of 3.0 and 3.1 write it, the schema itself.
 */
function itemOf(document: object, mediaType: string, media: Located, schema: Located | undefined): Located | undefined {
  const item = schemaBelow(document, media, "itemSchema");
  if (item) return isLines({ mediaType }) ? item : dataOf(document, item);
  const content = schema && schemaBelow(document, schema, "contentSchema");
  if (content) return content;
  if (mediaKind(mediaType) !== "events" && !isLines({ mediaType })) return undefined;
  if (schema === undefined || Object.keys(schema.node).length === 0) return undefined;
  const { type } = schema.node;
  if (type === "array") return schemaBelow(document, schema, "items");
  if (type === "string") return undefined;
  return isLines({ mediaType }) ? schema : dataOf(document, schema);
}

/** Whether a schema describes an event, and not its data: an object of `data`, and of `event`, `id` and `retry`. */
export function isEvent(schema: JsonObject): boolean {
  const names = Object.keys(Object(schema["properties"]));
  return names.includes("data") && names.every((name) => /^(data|event|id|retry)$/.test(name));
}

/** The schema of an event's data, if a schema describes the event. */
function dataOf(document: object, schema: Located): Located | undefined {
  if (!isEvent(schema.node)) return schema;
  const data = locateIn(document, schema, "properties", "data");
  const content = schemaBelow(document, data, "contentSchema");
  // Text that is not said to be JSON stays an event.
  return content ?? (data.node["type"] === "string" ? undefined : data);
}

function schemaBelow(document: object, parent: Located, key: string): Located | undefined {
  return isObject(parent.node[key]) ? locateIn(document, parent, key) : undefined;
}
