import {
  isObject,
  keywordsIn,
  joinPointer,
  memberAt,
  pointerTokens,
  resolvePointer,
  type JsonObject,
} from "@trainyard/core/validation";

/** An object of a document and its location, with references resolved. */
export interface Located {
  /** The document's own object, not a copy. */
  readonly node: JsonObject;
  /** A JSON Pointer as a fragment: `#/components/schemas/Model`. */
  readonly pointer: string;
}

/**
 * Finds the object at a pointer. If it is a reference, returns its target and the target's location. Returns an empty
 * object if there is none, because lint reports missing or malformed parts and readers must not fail on them.
 */
export function locate(document: object, pointer: string): Located {
  return follow(document, resolvePointer(document, pointer), pointer);
}

/** {@link locate} for a path below a location. */
export function locateIn(document: object, { node, pointer }: Located, ...keys: readonly (string | number)[]): Located {
  // Start from the current location: going down from the root at each step would be quadratic in the depth of the document.
  return follow(document, memberAt(node, keys), joinPointer(pointer, ...keys));
}

function follow(document: object, found: unknown, pointer: string): Located {
  let location = pointer;
  let node = found;
  for (let hops = 0; isObject(node) && typeof node["$ref"] === "string" && hops < 32; hops++) {
    // A schema may say more than its reference does.
    if (keywordsIn(node).length > 1) break;
    location = node["$ref"];
    node = resolvePointer(document, location);
  }
  return { node: isObject(node) ? node : {}, pointer: location };
}

/** A text of a document; empty if it has none. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The members of a map below a location, with references resolved. */
export function locateAll(document: object, parent: Located, key: string): [name: string, member: Located][] {
  const map = parent.node[key];
  return Object.keys(isObject(map) ? map : {}).map((name) => [name, locateIn(document, parent, key, name)]);
}

/** `Model` for `#/components/schemas/Model`; undefined for an inline schema. */
export function schemaName(pointer: string): string | undefined {
  const [components, section, name, ...below] = pointerTokens(pointer);
  return components === "components" && section === "schemas" && below.length === 0 ? name : undefined;
}

/** The name of the component that a schema refers to; undefined for an inline schema. */
export function referredName(schema: unknown): string | undefined {
  const reference = isObject(schema) ? schema["$ref"] : undefined;
  return typeof reference === "string" ? schemaName(reference) : undefined;
}
