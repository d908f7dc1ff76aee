import { isObject, resolvePointer, type JsonObject } from "@trainyard/core/validation";

/** The object at a pointer as written, without resolving references; empty if there is none. */
export function rawAt(root: object, pointer: string): JsonObject {
  const raw = resolvePointer(root, pointer);
  return isObject(raw) ? raw : {};
}

/** The text at a key; empty if there is none. */
export function textAt(node: JsonObject, key: string): string {
  const text = node[key];
  return typeof text === "string" ? text : "";
}

/** The first sentence of a description. */
export function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/)[0] ?? "";
}
