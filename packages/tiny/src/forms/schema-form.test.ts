import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { ask, roughModel } from "../../test/lib.ts";
import { renderPrompt } from "../model/conversation.ts";
import { end } from "../model/vocabulary.ts";
import { sample } from "../sampling/sample.ts";
import { plainSettings } from "../sampling/settings.ts";
import type { Form } from "./form.ts";
import { schemaForm, SchemaError } from "./schema-form.ts";

const rough = roughModel();
const prompt = renderPrompt(ask("When?"));

/** What a model without any sense writes in a form. */
function write(form: Form, seed: number): string {
  const tokens: number[] = [];
  const sampling = sample(rough, prompt, { ...plainSettings, maxTokens: 20_000, seed, form });
  let next = sampling.next();
  for (; next.done !== true; next = sampling.next()) tokens.push(next.value.token);
  expect(next.value.reason).toBe("stop");
  return new TextDecoder().decode(Uint8Array.from(tokens.filter((token) => token !== end)));
}

const small = fc.integer({ min: -30, max: 30 });
const range = fc
  .tuple(small, fc.nat(50), fc.constantFrom(1, 2, 5), fc.boolean())
  .map(([minimum, span, multipleOf, isOpen]) => ({
    ...(isOpen ? { exclusiveMinimum: minimum } : { minimum }),
    maximum: minimum + span + 6,
    ...(multipleOf > 1 && { multipleOf }),
  }));
const leaf = fc.oneof(
  fc.constantFrom<object>({ type: "boolean" }, { type: "null" }, { type: "string" }, { type: ["integer", "null"] }, {}),
  fc.constantFrom<object>({ const: 'é "\\' }, { enum: ["a", 1, null, { b: [2] }] }, { type: "number" }),
  fc.constantFrom("date-time", "email", "uuid", "uri", "ipv4").map((format) => ({ type: "string", format })),
  fc.constantFrom("^[a-z]{2,4}$", "^\\d+-[A-F]?$", "a|(?:bc)*", '^[^"a-z]\\.$', "x.y").map((pattern) => ({
    type: "string",
    pattern,
  })),
  fc
    .tuple(fc.nat(5), fc.nat(5))
    .map(([minLength, span]) => ({ type: "string", minLength, maxLength: minLength + span })),
  range.map((limits) => ({ type: "integer", ...limits })),
  range.map((limits) => ({ type: "number", ...limits })),
);
const { schema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc
      .tuple(
        fc.dictionary(fc.constantFrom("a", "b", "c d", "ü"), tie("schema")),
        fc.subarray(["a", "b", "x"]),
        fc.boolean(),
      )
      .map(([properties, required, isOpen]) => ({
        type: "object",
        properties,
        required: isOpen ? required : required.filter((name) => Object.hasOwn(properties, name)),
        additionalProperties: isOpen,
      })),
    fc
      .tuple(tie("schema"), fc.nat(3), fc.nat(3))
      .map(([items, minItems, span]) => ({ type: "array", items, minItems, maxItems: minItems + span })),
    fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
  ),
}));

it("writes JSON that matches the schema, whatever the model's probabilities", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
  fc.assert(
    fc.property(schema, fc.nat(1000), (one, seed) => {
      const value: unknown = JSON.parse(write(schemaForm(one), seed));
      const fits = ajv.validate(one, value);
      expect([one, value, fits ? [] : ajv.errors]).toEqual([one, value, []]);
    }),
    { numRuns: 60 },
  );
});

it("follows references, and ends for a recursive schema", () => {
  const tree = {
    $ref: "#/$defs/node",
    $defs: {
      node: {
        type: "object",
        properties: { name: { $ref: "#/$defs/name" }, children: { type: "array", items: { $ref: "#/$defs/node" } } },
        required: ["name", "children"],
        additionalProperties: false,
      },
      name: { enum: ["a", "b"] },
    },
  };
  const ajv = new Ajv2020({ strict: false });
  for (let seed = 0; seed < 10; seed++)
    expect(ajv.validate(tree, JSON.parse(write(schemaForm(tree), seed)))).toBe(true);
});

it.each([
  [{ type: "array", uniqueItems: true }, ["uniqueItems"], "uses `uniqueItems`"],
  [{ type: "object", properties: { a: { not: {} } }, required: ["a"] }, ["properties", "a", "not"], "uses `not`"],
  [{ type: "string", pattern: "(?=a)b" }, ["pattern"], "cannot follow"],
  [{ type: "integer", minimum: 3, maximum: 2 }, [], "allows no value"],
  [{ $ref: "https://example.org/a.json" }, ["$ref"], "not within the schema"],
  [{ $ref: "#/$defs/none" }, ["$ref"], "not there"],
  [{ $ref: "#/%" }, ["$ref"], "not there"],
  [{ type: "object", minProperties: 1e9 }, ["minProperties"], "needs more than 256 properties"],
  [{ type: "array", minItems: 1e9, items: { not: {} } }, ["items", "not"], "uses `not`"],
])("reports what it does not support in %j, and where", (wrong, path, message) => {
  const tried = () => schemaForm(wrong);
  expect(tried).toThrow(SchemaError);
  expect(tried).toThrow(message);
  try {
    tried();
  } catch (error) {
    expect(error).toMatchObject({ path });
  }
});
