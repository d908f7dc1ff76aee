/** @module-tag long */
/** Schemas that some value satisfies: a value is made for each of them. */
import { locate } from "@trainyard/document";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { sampleOf, usualSteps, valuesOf } from "../src/sample.ts";
import { validatorOf } from "../src/validator.ts";

type Schema = object | boolean;

/** Schemas that accept a value which was drawn first. */
const { schema } = fc.letrec<{ schema: Schema; text: Schema; number: Schema; list: Schema; object: Schema }>((tie) => ({
  text: fc
    .tuple(fc.string({ maxLength: 20 }), fc.nat(5), fc.nat(5))
    .chain(([value, less, more]) =>
      fc.constantFrom<Schema[]>(
        { const: value },
        { type: ["null", "string"], enum: [value, "other"] },
        { type: "string", minLength: Math.max(0, value.length - less), maxLength: value.length + more },
      ),
    ),
  number: fc
    .tuple(fc.integer({ min: -1000, max: 1000 }), fc.nat(3), fc.integer({ min: 1, max: 9 }))
    .chain(([value, range, step]) =>
      fc.constantFrom<Schema[]>(
        { type: "integer", minimum: value, maximum: value + range },
        { type: "integer", minimum: value, maximum: value + step, multipleOf: step },
        { type: "number", exclusiveMinimum: value, exclusiveMaximum: value + range + 0.5 },
        { type: ["integer", "null"], maximum: value },
      ),
    ),
  list: fc.tuple(tie("schema"), fc.nat(3), fc.boolean()).map(([items, minItems, isTuple]) => ({
    type: "array",
    ...(isTuple ? { prefixItems: [items, items] } : { items }),
    minItems,
    maxItems: minItems + 2,
  })),
  object: fc
    .tuple(fc.dictionary(fc.constantFrom("a", "b", "toString", "__proto__"), tie("schema"), { maxKeys: 3 }), fc.nat(3))
    .map(([properties, form]) => {
      const required = Object.keys(properties).slice(0, 2);
      const own = { type: "object", properties };
      if (form === 0) return { ...own, required, additionalProperties: false };
      if (form === 1) return { allOf: [own, { required }] };
      if (form === 2) return { ...own, anyOf: [{ required: ["other"] }, { required }] };
      return { ...own, required, minProperties: required.length + 1, unevaluatedProperties: { type: "integer" } };
    }),
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("text"),
    tie("number"),
    fc.constantFrom<Schema[]>(true, {}, { type: "boolean" }, { type: "null" }, { nullable: true, type: "string" }),
    tie("list"),
    tie("object"),
    fc.tuple(tie("schema"), tie("schema")).map((anyOf) => ({ anyOf })),
  ),
}));

it("a value satisfies its schema, if any value does", () => {
  fc.assert(
    fc.property(schema, (Asked) => {
      const root = { components: { schemas: { Asked } } };
      expect(sampleOf(root, locate(root, "#/components/schemas/Asked")).faults).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it("what is made of a caller's schema satisfies it too, if the schema only has types, limits and values", () => {
  const plain = schema.filter((one) => !JSON.stringify(one).includes("unevaluated"));
  fc.assert(
    fc.property(plain, (Asked) => {
      const validator = validatorOf({ components: { schemas: { Asked } } });
      const made = valuesOf(Object(Asked), { steps: usualSteps }, Math.random);
      const values: unknown[] = Array.from({ length: 10 }, () => made.next().value);
      const faults = values.map((value) => validator.at("#/components/schemas/Asked", value));
      expect(faults).toEqual(values.map(() => []));
    }),
    { numRuns: 300 },
  );
});
