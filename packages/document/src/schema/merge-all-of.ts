import { joinPointer as join } from "@trainyard/core/validation";
import { isWordless, onlyDescribes } from "./keywords.ts";
import { same, type DocumentNode, type Json } from "./node.ts";

/** A schema in parts: its keywords, and its properties. */
export interface Part {
  readonly keys: ReadonlyMap<string, DocumentNode>;
  readonly properties: ReadonlyMap<string, DocumentNode>;
}

/** Combines two values of a keyword into one with the same effect as both; undefined if that is not possible. */
const joined: Readonly<Record<string, (a: Json, b: Json) => Json | undefined>> = {
  required: (a, b) =>
    Array.isArray(a) && Array.isArray(b) ? [...a, ...b.filter((name) => !a.includes(name))] : undefined,
  type: (a, b) => common(listOf(a), listOf(b), covers),
  enum: (a, b) => common(listOf(a), listOf(b), same),
  minimum: most,
  exclusiveMinimum: most,
  minLength: most,
  minItems: most,
  minProperties: most,
  maximum: least,
  exclusiveMaximum: least,
  maxLength: least,
  maxItems: least,
  maxProperties: least,
  uniqueItems: (a, b) => a === true || b === true,
};

function listOf(value: Json): Json[] {
  return Array.isArray(value) ? value : [value];
}

function covers(wide: Json, narrow: Json): boolean {
  return wide === narrow || (wide === "number" && narrow === "integer");
}

function common(a: Json[], b: Json[], holds: (one: Json, other: Json) => boolean): Json {
  return [
    ...a.filter((one) => b.some((other) => holds(other, one))),
    ...b.filter((one) => !a.includes(one) && a.some((other) => holds(other, one))),
  ];
}

function most(a: Json, b: Json): Json | undefined {
  return typeof a === "number" && typeof b === "number" ? Math.max(a, b) : undefined;
}

function least(a: Json, b: Json): Json | undefined {
  return typeof a === "number" && typeof b === "number" ? Math.min(a, b) : undefined;
}

/**
 * Combines several schemas that apply together into one. Undefined if keywords cannot express it: two patterns, or an
 * object that forbids a property of another.
 *
 * @param pointer the location of the whole
 */
export function mergeAllOf(parts: readonly Part[], pointer: string): Part | undefined {
  if (!fit(parts)) return undefined;
  const keys = new Map<string, DocumentNode>();
  for (const { keys: own } of parts) {
    for (const [key, node] of own) {
      const existing = keys.get(key);
      if (existing === undefined) keys.set(key, node);
      else if (!same(existing.value, node.value) && !onlyDescribes(key) && key !== "properties") {
        const value = join2(key, existing, node);
        if (value === undefined) return undefined;
        keys.set(key, { value, pointer: key === "items" ? join(pointer, key) : existing.pointer });
      }
    }
  }
  const properties = new Map<string, DocumentNode>();
  for (const { properties: own } of parts) {
    for (const [name, node] of own) {
      const existing = properties.get(name);
      if (existing === undefined || same(existing.value, node.value)) properties.set(name, existing ?? node);
      else {
        const value = { allOf: [existing.value ?? {}, node.value ?? {}] };
        properties.set(name, { value, pointer: join(pointer, "properties", name) });
      }
    }
  }
  return { keys, properties };
}

function join2(key: string, { value: a }: DocumentNode, { value: b }: DocumentNode): Json | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (key === "items") return { allOf: [a, b] };
  return Object.hasOwn(joined, key) ? joined[key]?.(a, b) : undefined;
}

/** Whether no part says of the rest what another says of one: `additionalProperties` and `items` consider only their part. */
function fit(parts: readonly Part[]): boolean {
  const places = ({ keys }: Part): number => Object(keys.get("prefixItems")?.value ?? []).length;
  return parts.every((whole) => {
    const { keys, properties } = whole;
    const rest = keys.get("items")?.value;
    if (rest !== undefined && !isWordless(rest) && parts.some((part) => places(part) > places(whole))) return false;
    const others = keys.get("additionalProperties")?.value;
    if (others === undefined || isWordless(others)) return true;
    const patterns = keys.get("patternProperties")?.value ?? {};
    return parts.every(
      (part) =>
        [...part.properties.keys()].every((name) => properties.has(name)) &&
        [undefined, patterns].some((known) => same(part.keys.get("patternProperties")?.value, known)),
    );
  });
}
