import { isObject } from "./json.ts";

/** A key as a JSON Pointer writes it (RFC 6901). */
export function escapeToken(key: string): string {
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}

/** The key that a token of a JSON Pointer means. */
export function unescapeToken(token: string): string {
  return token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token;
}

/** The keys that a JSON Pointer leads through: of `/a/b~1c`, or of the fragment `#/a/b~1c`. */
export function pointerTokens(pointer: string): string[] {
  const isFragment = pointer.startsWith("#");
  const tokens = (isFragment ? pointer.slice(1) : pointer).split("/").slice(1);
  // A fragment is part of a URI: there, and only there, characters may be written as `%7B`.
  return tokens.map((token) => unescapeToken(isFragment && token.includes("%") ? decodeURIComponent(token) : token));
}

/** A JSON Pointer, longer by these keys. In a fragment, what a URI cannot hold is written with `%`. */
export function joinPointer(pointer: string, ...keys: readonly (string | number)[]): string {
  const encode = pointer.startsWith("#") ? encodeURIComponent : String;
  return keys.reduce<string>((whole, key) => `${whole}/${encode(escapeToken(String(key)))}`, pointer);
}

/** Finds what a local reference (`#/components/schemas/Model`) means in a document. Undefined where there is nothing. */
export function resolvePointer(document: unknown, reference: string): unknown {
  return reference.startsWith("#") ? memberAt(document, pointerTokens(reference)) : undefined;
}

/** What stands below a value, key by key. Undefined where there is nothing. */
export function memberAt(value: unknown, keys: readonly (string | number)[]): unknown {
  let target = value;
  for (const key of keys) {
    if (Array.isArray(target)) target = target[Number(key)];
    else if (isObject(target) && Object.hasOwn(target, key)) target = target[key];
    else return undefined;
  }
  return target;
}
