import { isObject, joinPointer, type JsonObject, pointerTokens, resolvePointer } from "@trainyard/core/validation";
import { type Basis, type ContractRule, dialect } from "./dialect.ts";
import { objectsIn } from "./objects.ts";

/** Rules as paragraphs, each with its basis. */
function paragraphs(rules: readonly ContractRule[]): string {
  return rules.map(({ basis, text }) => `${text} (${basis})`).join("\n\n");
}

/**
 * Returns a bundle in its published form: each description includes the rules of its object, because other tools read only
 * descriptions. The first rules continue the description, as long as they have its basis; each further rule is a paragraph with
 * its basis. The rules themselves are kept.
 */
export function describeRules<Value>(value: Value): Value;
export function describeRules(value: unknown): unknown {
  return describe(value, undefined);
}

function describe(value: unknown, around: Basis | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => describe(item, around));
  if (!isObject(value)) return value;
  const basis = dialect.basis.read(value) ?? around;
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, describe(item, basis)]));
  const rules = dialect.rules.read(value);
  if (rules.length === 0) return copy;
  const own = ownDescription(value);
  const other = rules.findIndex((rule) => rule.basis !== basis);
  const count = other < 0 ? rules.length : other;
  const sentences = rules.slice(0, count).flatMap(({ text }) => (own.includes(text) ? [] : text));
  const first = [own, ...sentences].filter((text) => text !== "").join(" ");
  const description = [first, paragraphs(rules.slice(count))].filter((text) => text !== "").join("\n\n");
  return { ...copy, description };
}

/** The description of an object with the rules that belong to it, without the further ones; empty if it has none. */
export function ownDescription(holder: JsonObject): string {
  const { description } = holder;
  if (typeof description !== "string") return "";
  const rules = dialect.rules.read(holder);
  const ends = rules.map((_, index) => paragraphs(rules.slice(index)));
  const further = ends.find((text) => description === text || description.endsWith(`\n\n${text}`)) ?? "";
  return description.slice(0, description.length - further.length).trimEnd();
}

/** The rules of an object that its description does not include. */
export function furtherRules(holder: JsonObject): readonly ContractRule[] {
  const own = ownDescription(holder);
  return dialect.rules.read(holder).filter(({ text }) => !own.includes(text));
}

/** All rules within a part of a document. */
export function rulesIn(value: unknown): ContractRule[] {
  return objectsIn(value).flatMap(({ node }) => dialect.rules.read(node));
}

/** The basis at a pointer: that of the object itself, or of the nearest object around it that has one. */
export function basisAt(root: object, pointer: string): Basis | undefined {
  const tokens = pointerTokens(pointer);
  for (; tokens.length > 0; tokens.pop()) {
    const node = resolvePointer(root, joinPointer("#", ...tokens));
    const basis = isObject(node) ? dialect.basis.read(node) : undefined;
    if (basis !== undefined) return basis;
  }
  return undefined;
}
