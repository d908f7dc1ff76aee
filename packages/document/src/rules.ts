import { isObject, type JsonObject } from "@trainyard/core/validation";
import { type ContractRule, dialect } from "./dialect.ts";

/** A guarantee for callers, with its source. */
function sentence({ basis, text }: ContractRule): string {
  return `${text} (${basis})`;
}

/** The rules of an object as text, one paragraph each; empty if it has none. */
export function rulesText(holder: JsonObject): string {
  return dialect.rules.read(holder).map(sentence).join("\n\n");
}

/**
 * Returns a bundle in its published form: each description includes the rules of its object, one paragraph each with its
 * basis, because other tools read only descriptions. The rules themselves are kept.
 */
export function describeRules<Value>(value: Value): Value;
export function describeRules(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => describeRules(item));
  if (!isObject(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, describeRules(item)]));
  const rules = rulesText(value);
  if (rules === "") return copy;
  const own = ownDescription(value);
  return { ...copy, description: own === "" ? rules : `${own}\n\n${rules}` };
}

/** The description of an object without its rules, in a published bundle or not; empty if it has none. */
export function ownDescription(holder: JsonObject): string {
  const { description } = holder;
  if (typeof description !== "string") return "";
  const rules = rulesText(holder);
  return rules !== "" && description.endsWith(rules)
    ? description.slice(0, -rules.length).trimEnd()
    : description.trimEnd();
}
