import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { schemas } from "../../test/conversation.ts";
import { conversations } from "../../test/conversations.ts";
import { ajvOptions, boundErrors, prepareSchema } from "./index.ts";

const documents = {
  prepared: prepareSchema({ components: { schemas } }),
  // Without discriminators, unions are validated branch by branch, and report the errors of each.
  written: { components: { schemas } },
};

/** A validator with our options, or with Ajv's own code. */
function compile(schema: object, document: object = {}, options = {}): ValidateFunction {
  const discriminator = document === documents.prepared;
  const ajv = new Ajv2020({ ...ajvOptions, discriminator, ...options });
  return ajv.addSchema(document, "document").compile(schema);
}
const plain = { code: {} };

function errorsOf(validate: ValidateFunction, value: unknown): ErrorObject[] {
  validate(value);
  return validate.errors ?? [];
}

describe.each(["prepared", "written"] as const)("of a small value under a schema as it is %s", (which) => {
  it.each(Object.keys(schemas))("reports the same errors as Ajv: %s", (name) => {
    const schema = { $ref: `document#/components/schemas/${name}` };
    const ours = compile(schema, documents[which]);
    const theirs = compile(schema, documents[which], plain);
    fc.assert(
      fc.property(conversations, (value) => {
        expect(errorsOf(ours, value)).toEqual(errorsOf(theirs, value));
      }),
      { numRuns: 300 },
    );
  });
});

/** A list that counts accesses to its items. */
function watched<T>(length: number, item: (index: number) => T): { readonly items: T[]; looks: number } {
  const result = {
    looks: 0,
    items: new Proxy(
      Array.from({ length }, (_, index) => item(index)),
      {
        get(target, key, receiver) {
          if (typeof key === "string" && /^\d/.test(key)) result.looks++;
          return Reflect.get(target, key, receiver);
        },
      },
    ),
  };
  return result;
}

const word = { type: "object", required: ["word"], properties: { word: { type: "string", minLength: 2 } } };
const wordList = { type: "array", items: { $ref: "document#/word" } };

it("does not check all items of a list of invalid ones", () => {
  const judge = compile(wordList, { word });
  const list = watched(50_000, () => ({ word: "" }));
  expect(judge(list.items)).toBe(false);
  expect(judge.errors).toHaveLength(1000);
  expect(list.looks).toBeLessThan(2000);
});

it("finds the one invalid item at the end of a million", () => {
  const right = { word: "right" };
  const items: unknown[] = Array.from({ length: 1_000_000 }, () => right);
  expect(errorsOf(compile(wordList, { word }), items)).toEqual([]);
  items.push({ word: "" });
  expect(errorsOf(compile(wordList, { word }), items).map(({ instancePath }) => instancePath)).toEqual([
    "/1000000/word",
  ]);
});

it.each<[string, object]>([
  ["additionalProperties", { additionalProperties: { $ref: "document#/word" } }],
  ["patternProperties", { patternProperties: { "^n": { $ref: "document#/word" } } }],
  ["names", { propertyNames: { $ref: "document#/short" } }],
  ["no properties", { additionalProperties: false }],
  ["unevaluated properties", { unevaluatedProperties: { $ref: "document#/word" } }],
])("does not check all members of a map: %s", (_, schema) => {
  const judge = compile({ type: "object", ...schema }, { word, short: { maxLength: 2 } });
  const map = Object.fromEntries(Array.from({ length: 20_000 }, (_each, index) => [`name${index}`, 5]));
  expect(judge(map)).toBe(false);
  expect(judge.errors?.length).toBeGreaterThanOrEqual(1000);
  expect(judge.errors?.length).toBeLessThan(1010);
});

it("bounds lists in lists", () => {
  const judge = compile({ items: { items: { items: { $ref: "document#/word" } } } }, { word });
  const wrong = (depth: number): unknown => (depth === 0 ? 5 : Array.from({ length: 60 }, () => wrong(depth - 1)));
  expect(judge(wrong(3))).toBe(false);
  expect(judge.errors?.length).toBeLessThan(3000);
});

/** Many items of one type, and one of another. */
const many = (item: unknown, last: unknown): unknown[] => [...Array.from({ length: 3000 }, () => item), last];

it.each<[string, object, unknown, boolean]>([
  ["a union without a matching branch", { anyOf: [strings(), numbers()] }, many(true, true), false],
  ["a union whose second branch matches", { anyOf: [strings(), numbers()] }, many(1, 1), true],
  ["a union whose second branch almost matches", { anyOf: [strings(), numbers()] }, many(1, true), false],
  ["one of two", { oneOf: [strings(), numbers()] }, many(1, 1), true],
  ["both of two", { oneOf: [numbers(), { items: { type: "integer" } }] }, many(1, 1), false],
  ["a condition behind many faults", { allOf: [strings(), { if: numbers(), else: false }] }, many(1, 1), false],
  ["a negation", { not: strings() }, many(1, 1), true],
  ["a negation of a matching schema", { not: numbers() }, many(1, 1), false],
  ["two negations", { not: { not: { anyOf: [strings(), numbers()] } } }, many(1, true), false],
  ["a list with one matching item", { contains: { type: "string" } }, many(1, "a"), true],
  ["a list without a matching item", { contains: { type: "string" } }, many(1, 1), false],
  ["a list with two matching items", { contains: { type: "string" }, minContains: 2 }, many(1, "a").concat("b"), true],
  ["a list with too many matching items", { contains: { type: "string" }, maxContains: 1 }, many("a", "b"), false],
  ["the negation of a list with one matching item", { not: { contains: { type: "string" } } }, many(1, "a"), false],
  ["a list of lists with one", { items: { contains: { type: "string" } } }, [many(1, "a"), many(2, "b")], true],
])("validates a long value as Ajv does: %s", (_, schema, value, expected) => {
  expect(compile(schema, {}, plain)(value)).toBe(expected);
  expect(compile(schema)(value)).toBe(expected);
});

function strings(): object {
  return { items: { type: "string" } };
}

function numbers(): object {
  return { items: { type: "number" } };
}

it("rejects code that joins errors in another way", () => {
  expect(() => boundErrors("vErrors = vErrors.concat(more);")).toThrow("does not know");
});
