/** Guards for the values in a document, which may be anything. */

/** An object of a document. */
export type Node = Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object, empty if it is something else: Redocly's own rule `struct` reports that. */
export function nodeOf(value: unknown): Node {
  return isNode(value) ? value : {};
}

/** The value as a list, empty if it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isReference(value: unknown): value is Node & { readonly $ref: string } {
  return isNode(value) && typeof value["$ref"] === "string";
}

/** An own member of an object: a document may have a property named `constructor`. */
export function member(node: Node, key: string): unknown {
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

/** `a`, `a and b`, `a, b and c`. */
export function sentenceList(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
