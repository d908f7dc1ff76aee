import type { Loc } from "@trainyard/core/validation";
import { locate } from "@trainyard/document";
import { expect, it } from "vitest";
import { patternText } from "./pattern-text.ts";
import { sampleOf, usualSteps, valuesOf } from "./sample.ts";
import { SchemaError } from "./sampler.ts";

const thing = { type: "object", required: ["id"], properties: { id: { type: "integer" }, name: { type: "string" } } };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function sample(Asked: unknown) {
  const Node = { type: "object", required: ["next"], properties: { next: { anyOf: [ref("Node"), { type: "null" }] } } };
  const root = { components: { schemas: { Asked, Thing: thing, Node } } };
  return sampleOf(root, locate(root, "#/components/schemas/Asked"));
}

it.each<[string, unknown, unknown]>([
  ["each property", ref("Thing"), { id: 1, name: "string" }],
  ["an example", { type: "object", properties: { a: { type: "string", examples: ["x"] } } }, { a: "x" }],
  ["another value than an example that is invalid", { type: "array", items: { enum: ["x"] }, examples: ["x"] }, ["x"]],
  ["null only where nothing else is permitted", { type: ["null", "integer"] }, 1],
  ["the end of a recursive schema", ref("Node"), { next: null }],
  ["one branch alone", { oneOf: [{ ...thing, required: ["id", "name"] }, thing] }, { id: 1 }],
  [
    "a branch beside properties",
    { ...thing, anyOf: [{ required: ["other"] }] },
    { id: 1, name: "string", other: "string" },
  ],
  [
    "both parts of `allOf`",
    { allOf: [ref("Thing"), { properties: { id: { minimum: 7 } } }] },
    { id: 7, name: "string" },
  ],
  ["closed objects", { allOf: [ref("Thing")], properties: { id: {} }, additionalProperties: false }, { id: 1 }],
  ["no forbidden property", { properties: { a: false, b: true } }, { b: "string" }],
  ["a map", { additionalProperties: { type: "integer" }, minProperties: 2 }, { property1: 1, property2: 1 }],
  ["a property of any name", { required: ["__proto__"] }, JSON.parse('{"__proto__":"string"}')],
  [
    "different items",
    { type: "array", minItems: 3, uniqueItems: true, items: { type: "string" } },
    ["string", "string2", "string3"],
  ],
  [
    "different numbers",
    { type: "array", minItems: 2, uniqueItems: true, items: { type: "integer", maximum: -5 } },
    [-5, -6],
  ],
  ["a tuple", { type: "array", prefixItems: [{ const: "a" }, { type: "integer" }] }, ["a", 1]],
  ["what a list contains", { type: "array", contains: { const: 3 } }, [3]],
  ["a multiple", { type: "integer", minimum: 10, maximum: 12, multipleOf: 3 }, 12],
  ["a number between limits", { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 0.5 }, 0.25],
  ["a pattern", { type: "string", pattern: "^[A-Z]{3}-\\d+$" }, "AAA-1"],
  ["a length", { type: "string", minLength: 8, maxLength: 8 }, "string--"],
  ["another text", { type: "string", not: { const: "string" } }, "string2"],
  [
    "a format with a pattern",
    { type: "string", format: "uri", pattern: ".+/v[01]$" },
    expect.stringMatching(/^https:.+\/v1$/),
  ],
  ["a format", { type: "string", format: "date" }, "2026-01-01"],
  ["any value", {}, "string"],
  [
    "what a condition demands",
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    { ...thing, if: { required: ["name"] }, then: { required: ["more"] } },
    { id: 1, name: "string", more: "string" },
  ],
])("makes %s", (_, schema, value) => {
  expect(sample(schema)).toEqual({ value, faults: [] });
});

it("says what is wrong if nothing is valid", () => {
  expect(sample({ type: "object", required: ["a"], properties: { a: { not: {} } } }).faults).toHaveLength(1);
});

it("ends soon, however many schemas refer to each other", () => {
  const names = Array.from({ length: 30 }, (_, at) => `N${at}`);
  const properties = Object.fromEntries(names.map((name) => [name, ref(name)]));
  const schemas = Object.fromEntries(names.map((name) => [name, { type: "object", properties }]));
  const root = { components: { schemas } };
  expect(sampleOf(root, locate(root, "#/components/schemas/N0")).faults).toEqual([]);
});

it.each([
  "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-[a-z]+)?$",
  "^\\+?[1-9]\\d{6,14}$",
  "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$",
  "^(?!x)[a-z]{2,3}$",
  "^\\p{Lu}[\\]a]\\u0041\\/$",
  "a|b",
  "^(?<year>\\d{4})(-\\d\\d){2}$",
])("writes a text that matches %s", (pattern) => {
  expect(patternText(pattern)).toMatch(new RegExp(pattern, "u"));
});

it.each(["(", "^(?=a)b$"])("writes no text for %s", (pattern) => {
  expect(patternText(pattern)).toBeUndefined();
});

/** An object that counts how often it is read, at any depth. */
function counting(schema: object) {
  const count = { reads: 0 };
  const watched = <T>(value: T): T => {
    if (typeof value !== "object" || value === null) return value;
    return new Proxy(value, {
      get: (target, key, receiver) => (count.reads++, watched(Reflect.get(target, key, receiver))),
      ownKeys: (target) => {
        const keys = Reflect.ownKeys(target);
        count.reads += keys.length;
        return keys;
      },
    });
  };
  return { schema: watched(schema), count };
}

/** Definitions, each of which refers to the next one twice. */
function twice(key: "anyOf" | "allOf", last: unknown) {
  const refs = (at: number) => [{ $ref: `#/$defs/d${at}` }, { $ref: `#/$defs/d${at}` }];
  const defs = Array.from({ length: 23 }, (_, at) => [`d${at}`, at === 22 ? last : { [key]: refs(at + 1) }]);
  return { $ref: "#/$defs/d0", $defs: Object.fromEntries(defs) };
}

const nested = (levels: number, around: (inner: unknown) => object, inner: object): object =>
  Array.from({ length: levels }).reduce<object>((schema) => around(schema), inner);
const many = (count: number, made: (at: number) => object) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`property${at}`, made(at)]));
const self = { type: "object", properties: { a: { $ref: "#" }, b: { $ref: "#" } }, required: ["a", "b"] };

const anywhere = expect.any(Array);
const steps = "takes too many steps";

it.each<[string, object, unknown]>([
  ["a pattern that backtracks", { type: "string", pattern: "^(a+)+$" }, "a"],
  ["words that backtrack", { type: "string", pattern: "^([a-z]+ ?)+$" }, "a "],
  ["groups within groups", { type: "string", pattern: `${"(".repeat(1e3)}a${")".repeat(1e3)}` }, expect.any(String)],
  ["a text without end", { type: "string", pattern: "((a{999}){999}){999}" }, "a".repeat(1000)],
  ["two branches that refer to two", twice("anyOf", { type: "null" }), null],
  ["two parts that refer to two", twice("allOf", { type: "null" }), null],
  ["unions within unions", nested(18, (a) => ({ anyOf: [a, a] }), { const: "x" }), "x"],
  ["a schema that is its own branch", { anyOf: [{ $ref: "#" }] }, "string"],
  ["a reference beside other keywords", { $ref: "#/$defs/a", title: "b", minimum: 2, $defs: { a: { enum: [2] } } }, 2],
])("makes values of %s in a bounded number of steps", (_, schema, value) => {
  const { schema: watched, count } = counting(schema);
  const values = valuesOf(watched, { steps: usualSteps }, Math.random);
  expect(values.next()).toEqual({ value, done: false });
  for (let turn = 1; turn < 32; turn++) values.next();
  expect(count.reads).toBeLessThan(20 * usualSteps);
});

it.each<[string, object, string, Loc]>([
  ["a long pattern", { properties: { a: { pattern: "[".repeat(1e6) } } }, steps, ["properties", "a"]],
  ["two branches that refer to nothing valid", twice("anyOf", { minimum: 2, maximum: 1 }), steps, anywhere],
  ["unions within unions, of nothing", nested(18, (a) => ({ anyOf: [a, a] }), { type: "none" }), steps, anywhere],
  ["an object that contains itself twice", self, "allows no value", []],
  ["an object that contains itself in two ways", { anyOf: [self, { ...self, title: "b" }] }, "", anywhere],
  ["many values", { enum: Array.from({ length: 2e5 }, (_, at) => at) }, steps, []],
  ["many types", { minItems: 1e3, items: { type: Array(1e5).fill("null") } }, steps, ["items"]],
  ["many properties", { properties: many(3e4, () => ({ type: "string" })) }, steps, anywhere],
  ["many lists in lists", nested(9, (items) => ({ minItems: 99, items }), { type: "null" }), "", anywhere],
  ["a long name", { properties: { ["n".repeat(1e6)]: nested(9, (a) => ({ anyOf: [a] }), {}) } }, steps, anywhere],
  ["more items than are made", { type: "array", minItems: 1e9 }, "has the `minItems` 1000000000", []],
  ["more members than are made", { type: "object", minProperties: 1e9 }, "has the `minProperties` 1000000000", []],
  ["a longer text than is made", { type: "string", minLength: 1e9 }, "has the `minLength` 1000000000", []],
  ["limits that exclude each other", { type: "string", minLength: 2, maxLength: 1 }, "allows no value", []],
  [
    "a value that is required and forbidden",
    { required: ["a"], properties: { a: false } },
    "allows no value",
    anywhere,
  ],
  ["a reference to another document", { $ref: "https://example.org/a.json" }, "refers to https", []],
  ["a reference to nothing", { allOf: [{ $ref: "#/$defs/none" }] }, "refers to #/$defs/none", []],
  ["a reference that is not encoded", { items: { $ref: "#/%" } }, "not percent-encoded", []],
])("refuses %s in a bounded number of steps, and names the place", (_, schema, message, path) => {
  const { schema: watched, count } = counting(schema);
  const first = () => valuesOf(watched, { steps: usualSteps }, Math.random).next();
  expect(first).toThrow(SchemaError);
  expect(first).toThrow(expect.objectContaining({ message: expect.stringContaining(message), path }));
  expect(count.reads).toBeLessThan(40 * usualSteps);
});
