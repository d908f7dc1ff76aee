import { isObject, resolvePointer, type JsonObject } from "@trainyard/core/validation";

/** What a document has at a pointer as it is written there, a reference not followed; empty where there is no object. */
export function rawAt(root: object, pointer: string): JsonObject {
  const raw = resolvePointer(root, pointer);
  return isObject(raw) ? raw : {};
}

/** The text at a key; empty where there is none. */
export function textAt(node: JsonObject, key: string): string {
  const text = node[key];
  return typeof text === "string" ? text : "";
}

/** The first sentence of a description. */
export function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/)[0] ?? "";
}
