/** Schemas of OpenAPI 3.0: a validator of 3.0, and ours after the upgrade, judge the same. */
import { isObject, type JsonObject } from "@trainyard/core/validation";
import { upgrade } from "@trainyard/document/upgrade";
import { validatorOf } from "@trainyard/host";
import { tries } from "@trainyard/testing";
import AjvDraft04 from "ajv-draft-04";
import fc from "fast-check";
import { expect, it } from "vitest";

const named = {
  Cat: { type: "object", required: ["name"], properties: { name: { type: "string" } }, additionalProperties: false },
  Short: { type: "string", maxLength: 2 },
};
const reference = fc.constantFrom("Cat", "Short").map((name) => ({ $ref: `#/components/schemas/${name}` }));
const nullable = fc.constantFrom(undefined, true, false);
const bound = fc.constantFrom(undefined, 1);

/** Schemas in 3.0, with each way to write `nullable` and keys beside a reference. */
const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc
      .record({ type: fc.constantFrom("integer", "number"), nullable, minimum: bound, maximum: bound, is: nullable })
      .map(({ is, ...one }) => ({
        ...one,
        // Without its bound, 3.0 ignores it, and a validator refuses it.
        ...(one.minimum === 1 && { exclusiveMinimum: is }),
        ...(one.maximum === 1 && { exclusiveMaximum: is }),
      })),
    fc.record({ type: fc.constant("string"), nullable, format: fc.constantFrom("binary", "byte"), example: bound }),
    fc.record({ type: fc.constantFrom("string", undefined), nullable, enum: fc.constantFrom(["a"], ["a", 1, null]) }),
    {
      weight: 4,
      arbitrary: fc
        .tuple(reference, fc.record({ nullable, maxLength: fc.constant(0) }))
        .map(([one, beside]) => ({ ...beside, ...one })),
    },
    fc.record({ type: fc.constantFrom("array", undefined), nullable, items: tie("schema") }),
    fc.record({
      type: fc.constantFrom("object", undefined),
      nullable,
      properties: fc.record({ a: tie("schema"), nullable: tie("schema"), example: tie("schema") }),
      additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
    }),
    fc
      .record({
        of: fc.uniqueArray(fc.constantFrom("allOf", "anyOf", "oneOf"), { minLength: 1, maxLength: 2 }),
        branches: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
        beside: fc.record({ nullable, type: fc.constantFrom(undefined, "object", "string", "number") }),
      })
      .map(({ of, branches, beside }) => ({ ...beside, ...Object.fromEntries(of.map((key) => [key, branches])) })),
  ),
}));

const leaf = fc.constantFrom<unknown>(null, null, "a", "abc", "", 0, 1, 2, 1.5, true, { name: "a" }, { name: 1 });
const value = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 2 }),
  fc.record({ a: leaf, nullable: leaf, example: leaf, other: leaf }, { requiredKeys: [] }),
);

/** Without what 3.0 ignores and Ajv does not: keys beside `$ref`, and `nullable` without `type`. */
function strictly(written: JsonObject): JsonObject {
  if (typeof written["$ref"] === "string") return { $ref: written["$ref"] };
  const entries = Object.entries(written).map(([key, member]): [string, unknown] => {
    if (Array.isArray(member)) return [key, member.map((one) => (isObject(one) ? strictly(one) : one))];
    if (!isObject(member)) return [key, member];
    const each = Object.entries(member).map(([name, one]) => [name, strictly(Object(one))]);
    return [key, key === "properties" ? Object.fromEntries(each) : strictly(member)];
  });
  return Object.fromEntries(entries.filter(([key]) => key !== "nullable" || written["type"] !== undefined));
}

it("accepts and refuses the same values, apart from null where a note says so", () => {
  const counts = { valid: 0, invalid: 0, noted: 0 };
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 5, maxLength: 20 }), (drawn, values) => {
      const Tried = JSON.parse(JSON.stringify(drawn));
      const document = { openapi: "3.0.3", components: { schemas: { ...named, Tried } } };
      const { document: upgraded, notes } = upgrade(document);
      const before = new AjvDraft04.default({ strict: false, formats: { binary: true, byte: true } });
      const all = { ...named, Tried: strictly(Tried) };
      const judge = before.compile({ $ref: "#/components/schemas/Tried", components: { schemas: all } });
      for (const one of values) {
        const was = judge(one);
        const is = validatorOf(upgraded).at("#/components/schemas/Tried", one).length === 0;
        if (was !== is) {
          const isNoted = notes.some((note) => note.includes("null is valid now"));
          expect([Tried, one, notes, isNoted && /null/.test(JSON.stringify(one))]).toEqual([Tried, one, notes, true]);
          counts.noted++;
        } else counts[was ? "valid" : "invalid"]++;
      }
    }),
    tries(2_000),
  );
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
});
