/** The text for the keywords of a schema. An unknown keyword fails the build, so that none is omitted. */
import { isObject, type JsonObject } from "@trainyard/core/validation";
import { dialect, extensions, sinceOf } from "@trainyard/document";
import { code, value } from "./prose.ts";

/** Keywords that the tree of a schema shows (see shape.ts). */
const structure = new Set([
  "$ref",
  "title",
  "description",
  "deprecated",
  "type",
  "const",
  "properties",
  "patternProperties",
  "required",
  "items",
  "prefixItems",
  "additionalProperties",
  "allOf",
  "oneOf",
  "anyOf",
  "discriminator",
  "contentMediaType",
  "contentSchema",
  "x-since",
]);

/** A pair of limits: the lower one, then the upper one. */
type Range = readonly [low: string, high: string, unit: (count: number) => string];

const plural = (one: string, many: string) => (count: number) => ` ${count === 1 ? one : many}`;
const ranges: readonly Range[] = [
  ["minimum", "maximum", () => ""],
  ["minLength", "maxLength", plural("character", "characters")],
  ["minItems", "maxItems", plural("item", "items")],
  ["minProperties", "maxProperties", plural("property", "properties")],
];

/** Every other keyword, with its text as Markdown; no text if only its default is of interest. */
const words: Readonly<Record<string, (of: unknown) => string | undefined>> = {
  default: (of) => `Default: ${value(of)}`,
  enum: (of) => `One of ${list(of)}`,
  // Longer ones are on the page of the schema.
  examples: (of) => ([of].flat().some(isObject) ? undefined : `For example ${list(of)}`),
  example: (of) => `For example ${value(of)}`,
  exclusiveMinimum: (of) => `More than ${value(of)}`,
  exclusiveMaximum: (of) => `Less than ${value(of)}`,
  multipleOf: (of) => `A multiple of ${value(of)}`,
  pattern: (of) => `Matches ${code(String(of))}`,
  format: (of) => `Format: ${formats[String(of)] ?? code(String(of))}`,
  uniqueItems: (of) => (of === true ? "No item twice" : undefined),
  readOnly: (of) => (of === true ? "Only in responses" : undefined),
  writeOnly: (of) => (of === true ? "Only in requests" : undefined),
  not: (of) => excluded(of),
};

const formats: Readonly<Record<string, string>> = {
  "date-time": "`date-time` (RFC 3339, such as `2026-01-31T12:00:00Z`)",
};

/** The facts of a schema except its structure and its description, each as a line of Markdown. */
export function factsOf(node: JsonObject, pointer: string): string[] {
  const inRange = new Set(ranges.flatMap(([low, high]) => [low, high]));
  const facts = ranges.flatMap(([low, high, unit]) => range(node[low], node[high], unit));
  for (const [key, of] of Object.entries(node)) {
    if (structure.has(key) || inRange.has(key)) continue;
    const extension = extensions.get(key);
    if (extension?.on.includes("Schema")) {
      // The basis and the rules are shown in other places.
      if (extension === dialect.basis || extension === dialect.rules) continue;
      facts.push(...fact(extension.describe(extension.read(node))));
      continue;
    }
    const describe = Object.hasOwn(words, key) ? words[key] : undefined;
    const text = describe?.(of);
    if (describe === undefined || (key === "not" && text === undefined)) {
      throw new Error(
        `The reference cannot show \`${key}\` at ${pointer}. Add it in packages/docs/src/reference/keywords.ts.`,
      );
    }
    facts.push(...fact(text));
  }
  if (node["additionalProperties"] === true) facts.push("Additional properties are accepted");
  if (node["additionalProperties"] === false) facts.push("Additional properties are rejected");
  return facts;
}

/** Whether something is deprecated, and since which version. */
export function deprecationOf(node: JsonObject): string | undefined {
  const since = sinceOf(node);
  return node["deprecated"] === true ? `deprecated${since === undefined ? "" : ` since ${since}`}` : undefined;
}

/** A description as a fact; none if there is none. */
export function fact(text: string | undefined): string[] {
  return text === undefined ? [] : [text.replace(/\.$/, "")];
}

function range(low: unknown, high: unknown, unit: Range[2]): string[] {
  if (typeof low === "number" && typeof high === "number") {
    return low === high ? [`Exactly ${low}${unit(low)}`] : [`From ${low} to ${high}${unit(high)}`];
  }
  if (typeof low === "number") return [`At least ${low}${unit(low)}`];
  return typeof high === "number" ? [`At most ${high}${unit(high)}`] : [];
}

function list(of: unknown): string {
  // The type says that null is accepted.
  const all = (Array.isArray(of) ? of : []).filter((one) => one !== null).map(value);
  return all.length > 1 ? `${all.slice(0, -1).join(", ")} or ${all.at(-1)}` : all.join("");
}

/** Of `not`, only properties that must not be set together have a text. */
function excluded(of: unknown): string | undefined {
  if (!isObject(of) || !Array.isArray(of["required"])) return undefined;
  const properties = isObject(of["properties"]) ? of["properties"] : {};
  const others = Object.keys(of).filter((key) => key !== "required" && key !== "properties");
  const typed = Object.values(properties).every((one) => isObject(one) && Object.keys(one).join() === "type");
  if (others.length > 0 || !typed || of["required"].length < 2) return undefined;
  return `Only one of ${of["required"].map((name) => code(String(name))).join(" and ")} may be set`;
}
