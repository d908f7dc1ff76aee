import { isObject, joinPointer, memberAt, pointerTokens } from "@trainyard/core/validation";

/** A parsed JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A value, and its actual or potential place in its document. References are not resolved. */
export interface DocumentNode {
  readonly value: Json | undefined;
  /** A JSON Pointer: `/components/schemas/Model`. */
  readonly pointer: string;
}

export function nodeAt(root: object, pointer: string): DocumentNode {
  return { value: memberAt(root, pointerTokens(pointer)) as Json | undefined, pointer };
}

/** A node without a value. */
export function absent({ pointer }: DocumentNode): DocumentNode {
  return { value: undefined, pointer };
}

export function child(node: DocumentNode, key: string | number): DocumentNode {
  return { value: memberAt(node.value, [key]) as Json | undefined, pointer: joinPointer(node.pointer, key) };
}

/** The members of an object; empty for any other value. */
export function children(node: DocumentNode): [string, DocumentNode][] {
  return isObject(node.value) ? Object.keys(node.value).map((key) => [key, child(node, key)]) : [];
}

export function items(node: DocumentNode): DocumentNode[] {
  return Array.isArray(node.value) ? node.value.map((_, index) => child(node, index)) : [];
}

/** The target pointer of a `$ref` inside a document. */
export function reference(value: Json | undefined): string | undefined {
  const target = isObject(value) ? value["$ref"] : undefined;
  // A reference is a URI: `%7B` is a brace.
  return typeof target === "string" && target.startsWith("#/") ? joinPointer("", ...pointerTokens(target)) : undefined;
}

/** Every pointer that something within a value refers to. */
export function references(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (!isObject(value)) return [];
  const own = reference(value);
  return [...(own === undefined ? [] : [own]), ...Object.values(value).flatMap(references)];
}

/** Whether two values are equal. The order of keys does not matter; the order of items does. */
export function same(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => same(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}
