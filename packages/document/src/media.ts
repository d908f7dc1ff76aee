import { isObject } from "@trainyard/core/validation";
import { locateAll, locateIn, schemaName, type Place } from "./place.ts";

/** One body of a request or a response, as one media type has it. */
export interface Media extends Place {
  readonly mediaType: string;
  /** What is sent; of a stream, the text as a whole. References are followed. Undefined where nothing is said. */
  readonly schema: Place | undefined;
  /** One item of a stream of events, or one line of `application/jsonl`: the `contentSchema`. */
  readonly item: Place | undefined;
  /** Values by the name of their example, in the order of the document. One without a name is called `default`. */
  readonly examples: ReadonlyMap<string, unknown>;
}

/** The bodies below a place, by media type. */
export function readContent(document: object, holder: Place): Map<string, Media> {
  return new Map(
    locateAll(document, holder, "content").map(([mediaType, place]): [string, Media] => {
      const schema = schemaBelow(document, place, "schema");
      const item = schema && schemaBelow(document, schema, "contentSchema");
      return [mediaType, { ...place, mediaType, schema, item, examples: readExamples(document, place) }];
    }),
  );
}

/** The examples of a body, a parameter or a header. */
export function readExamples(document: object, place: Place): Map<string, unknown> {
  const examples = new Map(locateAll(document, place, "examples").map(([name, { node }]) => [name, node["value"]]));
  if ("example" in place.node) examples.set("default", place.node["example"]);
  return examples;
}

/** The body that is JSON, `application/json` before others. */
export function jsonOf(content: ReadonlyMap<string, Media>): Media | undefined {
  return content.get("application/json") ?? [...content.values()].find(({ mediaType }) => isJson(mediaType));
}

/** The body that is a stream of events. */
export function eventsOf(content: ReadonlyMap<string, Media>): Media | undefined {
  return content.get("text/event-stream");
}

/** The body that is text to be read as a whole: `text/csv`, `application/jsonl`. */
export function textOf(content: ReadonlyMap<string, Media>): Media | undefined {
  const isText = /^(text\/(?!event-stream)|application\/jsonl\b)/i;
  return [...content.values()].find(({ mediaType }) => isText.test(mediaType));
}

/** What a call accepts that is answered with text: its media type, and JSON for errors. Undefined where the answer is JSON. */
export function acceptOf(content: ReadonlyMap<string, Media>): string | undefined {
  const text = jsonOf(content) === undefined ? textOf(content) : undefined;
  return text && `${text.mediaType}, application/json`;
}

/** Whether a media type is JSON: `application/json`, `application/problem+json; charset=utf-8`. */
export function isJson(mediaType: string): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(mediaType.trim());
}

/** The component that a body or an item is of; undefined for a schema that is written where it is used. */
export function typeName(schema: Place | undefined): string | undefined {
  return schema && schemaName(schema.pointer);
}

function schemaBelow(document: object, place: Place, key: string): Place | undefined {
  return isObject(place.node[key]) ? locateIn(document, place, key) : undefined;
}
