import { isObject, resolvePointer, type JsonObject } from "@trainyard/core/validation";
import * as fc from "fast-check";

/** Whether a value is valid under the original schema, by an independent validator. */
export type Fits = (schema: JsonObject, value: unknown) => boolean;

const surrogates = { first: 0xd800, count: 0x800 };

/** Any code point but surrogates. */
const codePoint = fc.integer({ min: 0, max: 0x10ffff - surrogates.count }).map(
  (index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count),
  (text) => {
    const point = typeof text === "string" && /^\P{Cs}$/u.test(text) ? text.codePointAt(0) : undefined;
    if (point === undefined) throw new Error("It is not one code point.");
    return point < surrogates.first ? point : point - surrogates.count;
  },
);

/** Strings of any code points. The unit `binary` of fast-check is the same, but takes 120 ms to build, each time. */
export function anyString(constraints: fc.StringConstraints = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: codePoint });
}

// fast-check takes up to 10 ms to build an arbitrary for a string, as long as for the rest of a schema.
const kept = new Map<string, fc.Arbitrary<string>>();

/** Creates an arbitrary once. */
function once(key: string, make: () => fc.Arbitrary<string>): fc.Arbitrary<string> {
  const made = kept.get(key) ?? make();
  kept.set(key, made);
  return made;
}

const matching = (pattern: string): fc.Arbitrary<string> =>
  once(`pattern ${pattern}`, () => fc.stringMatching(new RegExp(pattern), { size: "xsmall" }));

/** Creates values that are valid under a schema of a document. Open objects sometimes have an undeclared property. */
export function arbitraryOf(document: object, schema: unknown, fits: Fits): fc.Arbitrary<unknown> {
  const named = new Map<string, fc.Arbitrary<unknown>>();
  const referred = (pointer: string): fc.Arbitrary<unknown> => {
    const made = named.get(pointer) ?? make(resolvePointer(document, pointer));
    named.set(pointer, made);
    return made;
  };
  const make = (node: unknown): fc.Arbitrary<unknown> => {
    if (!isObject(node)) return fc.jsonValue({ maxDepth: 2 });
    if (typeof node["$ref"] === "string") return referred(node["$ref"]);
    if ("const" in node) return fc.constant(node["const"]);
    if (Array.isArray(node["enum"])) return fc.constantFrom(...node["enum"]);
    const union = node["oneOf"] ?? node["anyOf"];
    if (Array.isArray(union)) return fc.oneof(...union.map(make));
    const types = [node["type"] ?? []].flat();
    if (types.length === 0) return fc.jsonValue({ maxDepth: 2 });
    const value = fc.oneof(...types.map((type) => ofType(type, node)));
    return "not" in node ? value.filter((candidate) => fits(node, candidate)) : value;
  };
  const ofType = (type: unknown, node: JsonObject): fc.Arbitrary<unknown> => {
    if (type === "string") return text(node);
    if (type === "integer")
      return fc.integer({ min: limit(node, "minimum", -1000), max: limit(node, "maximum", 1000) });
    if (type === "number")
      return fc.double({ min: limit(node, "minimum", -1e6), max: limit(node, "maximum", 1e6), noNaN: true });
    if (type === "boolean") return fc.boolean();
    if (type === "null") return fc.constant(null);
    if (type === "array") return list(node);
    return object(node);
  };
  const list = (node: JsonObject) => {
    const minLength = limit(node, "minItems", 0);
    return fc.array(make(node["items"]), { minLength, maxLength: Math.min(limit(node, "maxItems", 3), minLength + 2) });
  };
  const object = (node: JsonObject): fc.Arbitrary<unknown> => {
    const properties = isObject(node["properties"]) ? node["properties"] : {};
    const required = namesOf(node);
    const declared = fc.record(
      Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, make(property)])),
      { requiredKeys: required, noNullPrototype: true },
    );
    const additional = node["additionalProperties"];
    if (additional === false) return declared;
    const name = matching("^[a-z][a-z .é]{0,5}$").filter((key) => !(key in properties));
    const extra = fc.dictionary(name, isObject(additional) ? make(additional) : fc.constantFrom(1, "é", null), {
      maxKeys: isObject(additional) ? 2 : 1,
      noNullPrototype: true,
    });
    return fc.tuple(declared, extra).map(([own, others]) => Object.assign(others, own));
  };
  return make(schema);
}

function text(node: JsonObject): fc.Arbitrary<string> {
  if (typeof node["pattern"] === "string") return matching(node["pattern"]);
  if (node["format"] === "uuid") return once("uuid", () => fc.uuid());
  if (node["format"] === "date-time") {
    const instant = fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true });
    const ending = fc.constantFrom("Z", "", "+05:30", "-11:00");
    return fc.tuple(instant, ending).map(([date, offset]) => date.toISOString().replace("Z", offset));
  }
  if (node["format"] === "uri") return once("uri", () => fc.webUrl());
  const [minLength, maxLength] = [limit(node, "minLength", 0), limit(node, "maxLength", 8)];
  return once(`length ${minLength} ${maxLength}`, () => anyString({ minLength, maxLength }));
}

function limit(node: JsonObject, keyword: string, otherwise: number): number {
  const value = node[keyword];
  return typeof value === "number" ? value : otherwise;
}

/** The required properties of an object. */
export function namesOf(node: JsonObject): string[] {
  return [node["required"] ?? []].flat().filter((name) => typeof name === "string");
}
