import {
  isObject,
  joinPointer,
  memberAt,
  pointerTokens,
  resolvePointer,
  type JsonObject,
} from "@trainyard/core/validation";

/** An object of a document and where it stands, references followed. */
export interface Place {
  /** The document's own object, not a copy. */
  readonly node: JsonObject;
  /** A JSON Pointer as a fragment: `#/components/schemas/Model`. */
  readonly pointer: string;
}

/**
 * What stands at a pointer, and where it really stands when that is a reference. An empty object where there is nothing: what
 * is missing or of the wrong form is for lint to report, and no reader stumbles over it.
 */
export function locate(document: object, pointer: string): Place {
  return follow(document, resolvePointer(document, pointer), pointer);
}

/** {@link locate} for what stands below a place. */
export function locateIn(document: object, { node, pointer }: Place, ...keys: readonly (string | number)[]): Place {
  // From the place on: each step from the root would take as long as the document is deep.
  return follow(document, memberAt(node, keys), joinPointer(pointer, ...keys));
}

function follow(document: object, found: unknown, pointer: string): Place {
  let place = pointer;
  let node = found;
  for (let hops = 0; isObject(node) && typeof node["$ref"] === "string" && hops < 32; hops++) {
    place = node["$ref"];
    node = resolvePointer(document, place);
  }
  return { node: isObject(node) ? node : {}, pointer: place };
}

/** The members of a map below a place, references followed. */
export function locateAll(document: object, place: Place, key: string): [name: string, member: Place][] {
  const map = place.node[key];
  return Object.keys(isObject(map) ? map : {}).map((name) => [name, locateIn(document, place, key, name)]);
}

/** `Model` for `#/components/schemas/Model`; undefined for a schema that is written inside something else. */
export function schemaName(pointer: string): string | undefined {
  const [components, section, name, ...below] = pointerTokens(pointer);
  return components === "components" && section === "schemas" && below.length === 0 ? name : undefined;
}
