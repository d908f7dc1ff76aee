import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { readDocument } from "@trainyard/document";
import type { OpenApiDocument, Schema } from "@trainyard/document/files";
import { plainSchemas } from "./plain-schemas.ts";

const text: Schema = { type: "string" };
const number: Schema = { type: "number" };
const named: Record<string, Schema> = {
  Loose: { type: "object", properties: { a: text, b: number } },
  Nullable: { type: ["object", "null"], properties: { a: text, b: number } },
  Strict: { type: "object", required: ["b"], properties: { b: number } },
  Either: { anyOf: [{ $ref: "#/components/schemas/Strict" }, { type: ["string", "null"] }] },
  Kind: { type: "string", enum: ["k", "l"] },
};
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

function documentOf(schemas: Record<string, Schema>): OpenApiDocument {
  return { openapi: "3.1.0", info: { version: "1" }, paths: {}, components: { schemas: structuredClone(schemas) } };
}

const names = fc.uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 2 });
const object = fc.record(
  {
    type: fc.constantFrom("object", ["object", "null"]),
    required: names,
    properties: fc.dictionary(fc.constantFrom("a", "b", "c"), fc.constantFrom(text, number, {}), { maxKeys: 2 }),
  },
  { requiredKeys: ["type"] },
);
const scalar = fc.constantFrom<Schema>(text, number, { enum: ["k", null] }, { const: 1 }, { type: ["string", "null"] });
const silent = fc.constantFrom<Schema>({}, { description: "No more." });

/** Schemas of what documents have, of which any may stand beside another. */
function schemas(depth: number): fc.Arbitrary<Schema> {
  const reference = fc.constantFrom(...Object.keys(named)).map(ref);
  const requirement = names.map((required): Schema => ({ required }));
  const parts: fc.Arbitrary<Schema>[] = [object, scalar, silent, reference, requirement];
  if (depth > 0) {
    const list = fc.array(schemas(depth - 1), { minLength: 1, maxLength: 3 });
    parts.push(
      list.map((allOf) => ({ allOf })),
      list.map((anyOf) => ({ anyOf })),
      fc.tuple(list, list).map(([allOf, anyOf]) => ({ allOf, anyOf })),
    );
  }
  return fc.array(fc.oneof(...parts), { minLength: 1, maxLength: 2 }).map((some) => Object.assign({}, ...some));
}

const values = fc.oneof(
  fc.constantFrom<unknown>("k", "q", 1, 2, null, true, []),
  fc.dictionary(fc.constantFrom("a", "b", "c"), fc.constantFrom("q", 1, null), { maxKeys: 3 }),
);

it("is the same if it is rewritten again", () => {
  fc.assert(
    fc.property(schemas(2), (schema) => {
      const document = documentOf({ ...named, Tried: schema });
      plainSchemas(readDocument(document));
      const once = structuredClone(document);
      plainSchemas(readDocument(document));
      expect(document).toEqual(once);
    }),
    { numRuns: 500, seed: 1 },
  );
});

it("accepts what the schema accepts", () => {
  fc.assert(
    fc.property(schemas(2), fc.array(values, { minLength: 5, maxLength: 20 }), (schema, tried) => {
      const before = documentOf({ ...named, Tried: schema });
      const after = structuredClone(before);
      plainSchemas(readDocument(after));
      const [original, written] = [before, after].map((document) => {
        const known: object = JSON.parse(JSON.stringify(document).replaceAll('"enum":[]', '"not":{}'));
        const ajv = new Ajv2020({ strict: false }).addSchema(known, "document");
        return ajv.compile({ $ref: "document#/components/schemas/Tried" });
      });
      for (const value of tried) expect([value, written?.(value)]).toEqual([value, original?.(value)]);
    }),
    { numRuns: 60, seed: 1 },
  );
});

it("names what is required and nowhere declared", () => {
  const notes: string[] = [];
  const tried = { type: "object", required: ["a", "b"], properties: { b: {} }, allOf: [ref("Kept")] };
  const kept = { required: ["c"], anyOf: [{ properties: { c: text } }] };
  plainSchemas(readDocument(documentOf({ Tried: tried, Kept: kept })), (note) => notes.push(note));
  expect(notes).toEqual([
    "#/components/schemas/Tried: `a` is required, and no schema declares it, so its type is unknown.",
  ]);
});
