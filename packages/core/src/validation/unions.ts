import { isObject, type JsonObject } from "./json.ts";
import { followReference, isAnnotation, isInteger, typesOf, when, type JsonType, type Lookup } from "./schema-types.ts";
import { tagUnion } from "./tags.ts";

/** Keywords that apply to one JSON type and ignore all others. */
const keywordsOf: Record<JsonType, readonly string[]> = {
  string: ["minLength", "maxLength", "pattern", "format"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems"],
  object: ["properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties"],
  boolean: [],
  null: [],
};

/**
 * Rewrites a union so that each value is validated by only one branch: selected by its JSON type, then, for objects, by the
 * property that distinguishes them. The same values are valid; an invalid value gets the faults of the branch that was
 * meant instead of those of all branches.
 *
 * @param union the original, which may name the property
 */
export function splitUnion(
  branches: readonly unknown[],
  exclusive: boolean,
  lookup: Lookup,
  union: JsonObject,
): JsonObject {
  const byType = new Map<JsonType, unknown[]>();
  for (const branch of branches) {
    for (const type of typesOf(branch, lookup)) byType.set(type, [...(byType.get(type) ?? []), branch]);
  }
  if (byType.size === 0) return { not: {} };
  const judges = new Map<unknown, JsonType[]>();
  for (const [type, candidates] of byType) {
    const judge = candidates.length === 1 ? candidates[0] : judgeOf(type, candidates, exclusive, lookup, union);
    judges.set(judge, [...(judges.get(judge) ?? []), type]);
  }
  const [only] = judges;
  if (judges.size === 1 && only && isObject(only[0])) return only[0];

  const result: JsonObject = {};
  if (byType.size < 6) result["type"] = [...byType].flatMap(([type, from]) => typeName(type, from, lookup));
  const conditions: JsonObject[] = [];
  for (const [judge, types] of judges) {
    const own = ownKeywords(judge, types);
    if (own) Object.assign(result, own);
    else conditions.push(when({ type: types }, judge));
  }
  if (conditions.length > 0) result["allOf"] = conditions;
  return result;
}

/** One schema for the values of a JSON type that several branches may accept. */
function judgeOf(
  type: JsonType,
  candidates: readonly unknown[],
  exclusive: boolean,
  lookup: Lookup,
  union: JsonObject,
): unknown {
  if (type === "object") {
    const tagged = tagUnion(candidates, exclusive, lookup, union);
    if (tagged) return tagged;
  } else if (!exclusive) {
    const widest = candidates.find((branch) => takesAll(branch, type, lookup));
    if (widest !== undefined) return widest;
    const values = candidates.map(valuesOf);
    if (values.every((list) => list !== undefined)) return { enum: [...new Set(values.flat())] };
  }
  // Inside two negations a validator reports nothing, so that a single fault represents all branches.
  return { not: { not: { [exclusive ? "oneOf" : "anyOf"]: candidates } } };
}

/** The keywords of a branch that can be combined with branches of other JSON types. Undefined if they cannot be combined. */
function ownKeywords(judge: unknown, types: readonly JsonType[]): JsonObject | undefined {
  if (!isObject(judge)) return judge === true ? {} : undefined;
  const { type: _, ...rest } = judge;
  const own = new Set(types.flatMap((type) => keywordsOf[type]));
  return Object.keys(rest).every((keyword) => own.has(keyword)) ? rest : undefined;
}

function takesAll(branch: unknown, type: JsonType, lookup: Lookup): boolean {
  if (branch === true) return true;
  const target = followReference(branch, lookup);
  if (!isObject(target)) return false;
  const plain = Object.keys(target).every((key) => key === "type" || isAnnotation(key));
  return plain && !(type === "number" && isInteger(target, lookup));
}

function valuesOf(branch: unknown): unknown[] | undefined {
  if (!isObject(branch)) return undefined;
  const { type: _, ...rest } = branch;
  if (Object.keys(rest).length !== 1) return undefined;
  if ("const" in rest) return [rest["const"]];
  return Array.isArray(rest["enum"]) ? rest["enum"] : undefined;
}

function typeName(type: JsonType, branches: readonly unknown[], lookup: Lookup): string {
  return type === "number" && branches.every((branch) => isInteger(branch, lookup)) ? "integer" : type;
}
