import { isObject, type JsonObject } from "./json.ts";
import { isWellFormed, unicodePattern } from "./keyword-forms.ts";
import { openEnumeration, openUnion, tagOf, unlistedMember } from "./open-set.ts";
import { resolvePointer } from "./pointer.ts";
import { isAnnotation, type Lookup } from "./schema-types.ts";
import { splitUnion } from "./unions.ts";

/** The keys of these objects are names, not keywords. */
const maps = new Set(
  (
    "properties patternProperties $defs definitions dependentSchemas schemas headers responses parameters " +
    "requestBodies securitySchemes content paths"
  ).split(" "),
);
/** Keywords that hold values, which are left unchanged. */
const values = new Set(["const", "enum", "default", "required", "dependentRequired", "security"]);
/** Ajv ignores a property of this name, and matches the pattern. */
const prototype = "__proto__";

/**
 * Prepares a document (or a single schema) for Ajv 2020: removes extensions, annotations and `discriminator.mapping`, and
 * splits each union so that an invalid value gets the faults of the one branch that was meant. The same values are valid,
 * with one exception: an object that would match a member of a tagged union, but also has all properties that the untagged
 * object beside it requires, is validated as the latter. In a document with `unevaluatedProperties` or `unevaluatedItems`,
 * unions stay as they are, because every branch that a value matches counts there; so do those of a document with a
 * reference to a branch.
 *
 * References are kept: call `ajv.addSchema(prepareSchema(document), "training")`, then compile
 * `{ $ref: "training#/components/schemas/LogRequest" }`. The argument is not changed.
 *
 * @param isOpen whether unlisted members of this union or enumeration are accepted. Default: none is open, as in a service
 * that validates requests.
 */
export function prepareSchema(document: object, isOpen: (schema: JsonObject) => boolean = () => false): JsonObject {
  const lookup: Lookup = (reference) => resolvePointer(document, reference);
  const written = JSON.stringify(document);
  const isSpecial = unsplit.test(written) || written.includes('"$id":');
  // Examples and extensions are data, whatever their keys are named.
  const bare = isSpecial ? prepare(document, { lookup, isOpen, splits: false, isOne: false }) : undefined;
  const text = isSpecial ? JSON.stringify(bare) : written;
  const splits = !unsplit.test(text);
  const isOne = !text.includes('"$id":');
  const prepared = prepare(document, { lookup, isOpen, splits, isOne });
  return isObject(prepared) ? prepared : { not: {} };
}

/** What forbids to split unions. */
const unsplit = /"unevaluated(Properties|Items)":|"\$ref":"[^"]*\/(any|one)Of\//;

interface Preparing {
  readonly lookup: Lookup;
  readonly isOpen: (schema: JsonObject) => boolean;
  /** Whether unions are split. */
  readonly splits: boolean;
  /** Whether all references are those of the document, and none those of a schema with an address of its own. */
  readonly isOne: boolean;
}

function prepare(node: unknown, preparing: Preparing): unknown {
  if (Array.isArray(node)) return node.map((item) => prepare(item, preparing));
  if (!isObject(node)) return node;
  // Nothing is valid, which Ajv does not know.
  if (Array.isArray(node["enum"]) && node["enum"].length === 0) return false;
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(node)) {
    if (isAnnotation(key) || notOfAjv(key, value, node) || !isWellFormed(key, value)) continue;
    if (key === "$ref" && preparing.isOne && leadsNowhere(String(value), preparing.lookup)) continue;
    if (values.has(key)) result[key] = value;
    else if (key === "pattern") result[key] = unicodePattern(String(value));
    else result[key] = maps.has(key) && isObject(value) ? prepareMap(value, preparing) : prepare(value, preparing);
  }
  const { properties, patternProperties } = result;
  if (isObject(properties) && Object.hasOwn(properties, prototype))
    result["patternProperties"] = { ...Object(patternProperties), [`^${prototype}$`]: properties[prototype] };
  const split = preparing.splits ? splitUnions(result, node, preparing.lookup) : result;
  return preparing.isOpen(node) ? opened(split, node, preparing) : split;
}

function leadsNowhere(reference: string, lookup: Lookup): boolean {
  return reference.startsWith("#/") && lookup(reference) === undefined;
}

/** Keywords that JSON Schema does not have, and at which Ajv throws. */
function notOfAjv(key: string, value: unknown, node: JsonObject): boolean {
  if (key === "nullable") return value !== true || node["type"] === undefined;
  return key === "discriminator" || key === "id" || key === prototype;
}

/** Prepares an open set, which also accepts unlisted members. */
function opened(closed: JsonObject, node: JsonObject, preparing: Preparing): JsonObject {
  const { lookup } = preparing;
  if ("enum" in node) return openEnumeration(closed);
  if (tagOf(node) === undefined) return closed;
  return openUnion(node, closed, prepare(unlistedMember(node, lookup), preparing), lookup);
}

function prepareMap(map: JsonObject, preparing: Preparing): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, prepare(value, preparing)]));
}

function splitUnions(prepared: JsonObject, original: JsonObject, lookup: Lookup): JsonObject {
  let result = prepared;
  for (const keyword of ["anyOf", "oneOf"]) {
    // Not of the result: a split `anyOf` may have become a `oneOf` there.
    const branches = prepared[keyword];
    if (!Array.isArray(branches)) continue;
    const { [keyword]: _, ...rest } = result;
    result = combine(rest, splitUnion(branches, keyword === "oneOf", lookup, original));
  }
  return result;
}

/** Combines two schemas. They are merged only if that does not change what the left one says about other properties. */
function combine(left: JsonObject, right: JsonObject): JsonObject {
  const plain = Object.keys(left).every((key) => key === "type" && left[key] === right[key]);
  if (plain) return { ...left, ...right };
  const { allOf, ...rest } = left;
  return { ...rest, allOf: [...(Array.isArray(allOf) ? allOf : []), right] };
}
