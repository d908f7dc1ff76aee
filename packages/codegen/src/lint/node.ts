/** Guards for the values in a document, which may be anything. */
import { eventParser } from "@trainyard/core/events";
import { isObject, type JsonObject } from "@trainyard/core/validation";

/** The value as an object, empty if it is something else: Redocly's own rule `struct` reports that. */
export function nodeOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value as a list, empty if it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isReference(value: unknown): value is JsonObject & { readonly $ref: string } {
  return isObject(value) && typeof value["$ref"] === "string";
}

/** An own member of an object: a document may have a property named `constructor`. */
export function member(node: JsonObject, key: string): unknown {
  return Object.hasOwn(node, key) ? node[key] : undefined;
}

/** The value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The data of each event in the text of a stream, and whether the last one is ended. A client may drop one that is not. */
export function eventsOf(text: string): { readonly parts: string[]; readonly isEnded: boolean } {
  const parser = eventParser();
  const ended = parser.push(new TextEncoder().encode(text));
  const open = parser.end();
  return { parts: [...ended, ...open].map(({ data }) => data), isEnded: open.length === 0 };
}

/** The same for lines. */
export function linesOf(text: string): ReturnType<typeof eventsOf> {
  return { parts: text.replace(/\n$/, "").split("\n"), isEnded: text.endsWith("\n") };
}
