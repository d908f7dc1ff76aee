/** A schema and its view mean the same: Ajv judges every value alike by the schema and by the view, written as a schema. */
import type { JsonObject } from "@trainyard/core/validation";
import { nodeAt, schemaView } from "@trainyard/document";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { tries } from "@trainyard/testing";
import { expect, it } from "vitest";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: "string" };
const properties = { a: text, b: { type: "number" } };
const components: Record<string, JsonObject> = {
  Loose: { type: "object", properties },
  Base: { type: "object", required: ["a"], properties: { a: text } },
  Maybe: { type: ["object", "null"], properties },
  Map: { type: "object", properties: { a: text }, additionalProperties: { type: "number" } },
  Closed: { type: "object", properties: { a: text }, additionalProperties: false },
  Kind: { enum: ["u", "v"] },
  Null: { anyOf: [ref("Loose"), { type: "null" }] },
  Pair: { type: "array", prefixItems: [text, { type: "number" }], items: false },
  Tree: { type: "object", required: ["a"], properties: { a: text, b: { type: "array", items: ref("Tree") } } },
};

const names = ["a", "b", "c"];
const someNames = fc.subarray(names);
const type = fc.constantFrom(
  "string",
  "number",
  "integer",
  "object",
  "array",
  "null",
  ["object", "null"],
  ["string", "null"],
);
const leaf = fc.oneof(
  fc.constantFrom(...Object.keys(components)).map(ref),
  fc.constantFrom<unknown>({}, true, false, { type: "null" }, { const: 1 }, { const: null }, { enum: ["u", null] }),
  fc.record({ type }, { requiredKeys: [] }),
  fc.record({ required: someNames }),
);
const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const list = fc.array(tie("schema"), { minLength: 1, maxLength: 3 });
  const keywords = {
    $ref: fc.constantFrom(...Object.keys(components)).map((name) => ref(name).$ref),
    type,
    enum: fc.constantFrom(["u", "v"], ["u", null], [1, 2]),
    const: fc.constantFrom("u", 1, null),
    minLength: fc.constantFrom(0, 2),
    pattern: fc.constantFrom("^a", "b$"),
    minimum: fc.constantFrom(1, 2),
    exclusiveMaximum: fc.constantFrom(2, 3),
    minItems: fc.constantFrom(1, 2),
    required: someNames,
    properties: fc.dictionary(fc.constantFrom(...names), tie("schema"), { maxKeys: 2 }),
    additionalProperties: tie("schema"),
    unevaluatedProperties: fc.constant(false),
    prefixItems: list,
    items: tie("schema"),
    not: fc.constantFrom({ type: "null" }, { required: ["a"] }, { const: "u" }),
    allOf: list,
    anyOf: list,
    oneOf: list,
    description: fc.constant("A text."),
  };
  const composed = fc
    .subarray(Object.keys(keywords) as (keyof typeof keywords)[], { minLength: 1, maxLength: 3 })
    .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, keywords[key] as fc.Arbitrary<unknown>]))));
  return { schema: fc.oneof({ depthSize: "small", maxDepth: 3 }, leaf, composed) };
});

const scalars = [null, true, "u", "v", "ab", "b", 1, 2, 1.5, 3];
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom(...scalars),
    fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 3 }),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
}));

/** The view as a schema. */
function written(root: object): unknown {
  const { keys, properties: all, union, nullable } = schemaView(root, nodeAt(root, "/components/schemas/Test"));
  const objectOf = (nodes: typeof keys) => Object.fromEntries([...nodes].map(([key, { value: one }]) => [key, one]));
  const { type: types, ...rest } = objectOf(keys);
  const own: Record<string, unknown> = { ...rest, ...(all.size > 0 && { properties: objectOf(all) }) };
  if (union !== undefined) own[union.key] = union.variants.map(({ value: one }) => one);
  const isNothing = Array.isArray(types) && types.length === 0;
  const typed = isNothing ? false : types === undefined ? own : { ...own, type: types };
  return nullable ? { anyOf: [{ type: "null" }, typed] } : { allOf: [{ not: { type: "null" } }, typed] };
}

it("means the same as the schema, for composed schemas and values", () => {
  const counts = { valid: 0, invalid: 0 };
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 20, maxLength: 20 }), (composed, values) => {
      const document = { components: { schemas: { ...components, Test: composed } } };
      const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false, meta: false });
      ajv.addSchema(document, "document");
      const judge = ajv.compile({ $ref: "document#/components/schemas/Test" });
      const view = written(document);
      const byView = ajv.compile(JSON.parse(JSON.stringify(view).replaceAll('"$ref":"#', '"$ref":"document#')));
      const all = [...scalars, ...values];
      let bySchema: boolean[] = [];
      try {
        bySchema = all.map((one) => judge(one));
      } catch {
        // Ajv cannot run its own code for some schemas with `unevaluatedProperties`.
        fc.pre(false);
      }
      counts.valid += bySchema.filter(Boolean).length;
      counts.invalid += bySchema.filter((isValid) => !isValid).length;
      const wrong = all.filter((one, index) => byView(one) !== bySchema[index]);
      expect({ composed, view, wrong }).toEqual({ composed, view, wrong: [] });
    }),
    tries(2000),
  );
  expect(counts.valid).toBeGreaterThan(500);
  expect(counts.invalid).toBeGreaterThan(500);
});
