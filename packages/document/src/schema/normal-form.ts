import { hasType, jsonTypeOf } from "@trainyard/core/validation";
import { formats } from "../formats.ts";
import { textual, typeOfKeyword } from "./keywords.ts";
import { same, type DocumentNode, type Json } from "./node.ts";

type Keys = ReadonlyMap<string, DocumentNode>;

/** The keywords that can restrict values of some types. */
export function applying(keys: Keys, kinds: readonly string[] | undefined): Map<string, DocumentNode> {
  return new Map([...keys].filter(([key, { value }]) => kinds === undefined || applies(key, value, kinds)));
}

function applies(key: string, value: Json | undefined, kinds: readonly string[]): boolean {
  const type = key === "format" && typeof value === "string" && textual.has(value) ? "string" : typeOfKeyword.get(key);
  return type === undefined || kinds.some((one) => one === type || (one === "integer" && type === "number"));
}

/** Values of keywords that allow what any schema without the keyword allows. JSON has one kind of number. */
const idle: ReadonlyMap<string, readonly Json[]> = new Map<string, Json[]>([
  ["minLength", [0]],
  ["minItems", [0]],
  ["minProperties", [0]],
  ["minContains", [1]],
  ["uniqueItems", [false]],
  ["format", ["int64", "float", "double", "password"]],
]);

/** Keywords without an effect unless another one stands beside them. */
export const companions: ReadonlyMap<string, string> = new Map([
  ["minContains", "contains"],
  ["maxContains", "contains"],
  ["then", "if"],
  ["else", "if"],
]);

/** Whether a keyword has an effect. A definition is compared where a reference leads to it, unless that uses its name. */
function counts(key: string, value: Json | undefined, keys: Keys): boolean {
  if (key === "$defs") return /"\$(id|anchor|dynamicAnchor)":/.test(JSON.stringify(value));
  if (!keys.has(companions.get(key) ?? key)) return false;
  return value === undefined || idle.get(key)?.includes(value) !== true;
}

/** The ends of a range of numbers. The sign negates the upper end, so that higher is stricter at both. */
export const ends = [
  { inclusive: "minimum", exclusive: "exclusiveMinimum", sign: 1 },
  { inclusive: "maximum", exclusive: "exclusiveMaximum", sign: -1 },
] as const;

/** Whether a listed value satisfies a limit: null if the keyword is another one. */
function fits(key: string, limit: Json | undefined, value: Json): boolean | null {
  if (typeof value === "string" && key === "pattern") return typeof limit === "string" && matches(limit, value);
  if (typeof value === "string" && key === "format") return isOfFormat(limit, value);
  if (typeof limit !== "number") return null;
  if (typeof value === "number" && key === "multipleOf") return Number.isInteger(value / limit);
  const amounts: readonly [string, number | undefined][] = [
    ["Length", typeof value === "string" ? Array.from(value).length : undefined],
    ["Items", Array.isArray(value) ? value.length : undefined],
    ["imum", typeof value === "number" ? value : undefined],
  ];
  const [, amount] = amounts.find(([end]) => key === `min${end}` || key === `max${end}`) ?? [];
  if (amount !== undefined) return key.startsWith("min") ? amount >= limit : amount <= limit;
  if (typeof value !== "number" || !key.startsWith("exclusive")) return null;
  return key === "exclusiveMinimum" ? value > limit : value < limit;
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return false;
  }
}

/** Whether a text has a format; null if nobody here validates the format. */
function isOfFormat(format: Json | undefined, value: string): boolean | null {
  const rule = Object.entries(formats).find(([name]) => name === format)?.[1];
  if (rule instanceof RegExp) return rule.test(value);
  return typeof rule === "function" ? rule(value) : null;
}

/** Both values of a boolean, in whatever order. */
function isBoolean(values: readonly Json[]): boolean {
  const all = new Set(values.filter((value) => value !== null));
  return all.size === 2 && all.has(true) && all.has(false);
}

/**
 * The keywords of a schema in the form that all schemas with the same meaning share: those without an effect are absent, as a
 * limit that each listed value satisfies is; `type: number` with an integer for `multipleOf` is `type: integer`; the two values
 * of a boolean are its type; and each end of a range has one keyword.
 *
 * @param all the keywords of the whole schema, if these are not all
 */
export function normalForm(given: Keys, all?: Keys): Map<string, DocumentNode> {
  const whole = all && types(all);
  const keys = new Map(given);
  const set = (key: string, value: Json, like: string): unknown =>
    keys.set(key, { value, pointer: (given.get(key) ?? given.get(like))?.pointer ?? "" });
  const values = allowed(keys)?.filter((value) => types(keys, true)?.some((type) => hasType(value, type)) ?? true);
  if (values !== undefined) {
    if (keys.has("enum") || values.length === 0) set("enum", [...values], "const");
    if (values.length === 0) keys.delete("const");
    set("type", [...new Set(values.map(typeOf))], keys.has("enum") ? "enum" : "const");
  }
  const step = keys.get("multipleOf")?.value;
  const steps = types(keys, true)?.map((type) => (type === "number" ? "integer" : type));
  if (Number.isInteger(step) && steps !== undefined) set("type", steps, "type");
  const kinds = whole ?? types(keys);
  const integers = kinds?.includes("number") === false;
  if (integers && typeof step === "number" && Number.isInteger(1 / step)) keys.delete("multipleOf");
  const isInt32 = keys.get("format")?.value === "int32" && kinds !== undefined;
  if (isInt32) keys.delete("format");
  for (const { inclusive, exclusive, sign } of ends) {
    const found = [inclusive, exclusive].flatMap((key): End[] => {
      const value = keys.get(key)?.value;
      if (typeof value !== "number") return [];
      const [limit, open] = [value * sign, key === exclusive];
      return [
        integers ? { key, limit: open ? Math.floor(limit) + 1 : Math.ceil(limit), open: false } : { key, limit, open },
      ];
    });
    if (isInt32) found.push({ key: "format", limit: sign > 0 ? -(2 ** 31) : 1 - 2 ** 31, open: false });
    const [end] = found.toSorted((a, b) => b.limit - a.limit || Number(b.open) - Number(a.open));
    if (end === undefined) continue;
    for (const key of [inclusive, exclusive]) keys.delete(key);
    set(end.open ? exclusive : inclusive, end.limit * sign, end.key);
  }
  const listed = allowed(all ?? keys) ?? (all === undefined ? values : undefined) ?? [];
  const isImplied = (key: string, limit: Json | undefined): boolean => {
    if (key === "type") return all !== undefined && !types(all)?.some((type) => !types(keys)?.includes(type));
    const answers = listed.map((value) => fits(key, limit, value)).filter((answer) => answer !== null);
    return answers.length > 0 && !answers.includes(false);
  };
  if (listed.length > 0) for (const [key, { value }] of keys) if (isImplied(key, value)) keys.delete(key);
  if (isBoolean(listed)) for (const key of ["enum", "const"]) keys.delete(key);
  return new Map([...applying(keys, kinds)].filter(([key, { value }]) => counts(key, value, keys)));
}

interface End {
  readonly key: string;
  readonly limit: number;
  readonly open: boolean;
}

/** The values that `const` or `enum` allows; undefined if any value is allowed. */
export function allowed(keys: Keys): readonly Json[] | undefined {
  const constant = keys.get("const")?.value;
  const values = keys.get("enum")?.value;
  if (constant === undefined) return Array.isArray(values) ? values : undefined;
  return Array.isArray(values) && !values.some((value) => same(value, constant)) ? [] : [constant];
}

/** The types of a schema; undefined if it names none. */
export function types(keys: Keys, withNull: boolean = false): readonly string[] | undefined {
  const type = keys.get("type")?.value;
  if (type === undefined) return undefined;
  return [type].flat().filter((name): name is string => typeof name === "string" && (withNull || name !== "null"));
}

function typeOf(value: Json): string {
  return Number.isInteger(value) ? "integer" : jsonTypeOf(value);
}
