import { locate } from "@trainyard/document";
import { expect, it } from "vitest";
import { patternText } from "./pattern-text.ts";
import { sampleOf } from "./sample.ts";

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
