import { isObject, type JsonObject } from "@trainyard/core/validation";
import { type ContractRule, dialect } from "./dialect.ts";

/** A sentence that a caller may rely on, with where it comes from. */
function sentence({ basis, text }: ContractRule): string {
  return `${text} (${basis})`;
}

/** The rules of an object as a text of their own, a paragraph each; empty where it has none. */
export function rulesText(holder: JsonObject): string {
  return dialect.rules.read(holder).map(sentence).join("\n\n");
}

/**
 * A bundle as it is published: each description has the rules of its object, a paragraph each with its basis, since other tools
 * read nothing else. The rules stay beside it.
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

/** The description of an object without its rules, whether it is published or not; empty where it has none. */
export function ownDescription(holder: JsonObject): string {
  const { description } = holder;
  if (typeof description !== "string") return "";
  const rules = rulesText(holder);
  return rules !== "" && description.endsWith(rules)
    ? description.slice(0, -rules.length).trimEnd()
    : description.trimEnd();
}
