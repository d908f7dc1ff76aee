import { isObject } from "./json.ts";

/** Escapes a key for a JSON Pointer (RFC 6901). */
export function escapeToken(key: string): string {
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}

/** The key of a JSON Pointer token. */
export function unescapeToken(token: string): string {
  return token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token;
}

/** The keys of a JSON Pointer: of `/a/b~1c`, or of the fragment `#/a/b~1c`. */
export function pointerTokens(pointer: string): string[] {
  const isFragment = pointer.startsWith("#");
  const tokens = (isFragment ? pointer.slice(1) : pointer).split("/").slice(1);
  // Only a fragment is percent-encoded (`%7B`), because it is part of a URI.
  return tokens.map((token) => unescapeToken(isFragment && token.includes("%") ? decodeURIComponent(token) : token));
}

/** Appends keys to a JSON Pointer. In a fragment, characters that a URI cannot contain are percent-encoded. */
export function joinPointer(pointer: string, ...keys: readonly (string | number)[]): string {
  const encode = pointer.startsWith("#") ? encodeURIComponent : String;
  return keys.reduce<string>((whole, key) => `${whole}/${encode(escapeToken(String(key)))}`, pointer);
}

/** Resolves a local reference (`#/components/schemas/Model`) in a document. Undefined if its target does not exist. */
export function resolvePointer(document: unknown, reference: string): unknown {
  return reference.startsWith("#") ? memberAt(document, pointerTokens(reference)) : undefined;
}

/** The value at a path of keys. Undefined if there is none. */
export function memberAt(value: unknown, keys: readonly (string | number)[]): unknown {
  let target = value;
  for (const key of keys) {
    if (Array.isArray(target)) target = target[Number(key)];
    else if (isObject(target) && Object.hasOwn(target, key)) target = target[key];
    else return undefined;
  }
  return target;
}
