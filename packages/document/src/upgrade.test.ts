import { isObject, type JsonObject } from "@trainyard/core/validation";
import { expect, it } from "vitest";
import { upgrade } from "./upgrade.ts";

const cat = { $ref: "#/components/schemas/Cat" };

/** A schema after the upgrade, and the notes without the start of their places. */
function upgraded(schema: object): { schema: unknown; notes: string[] } {
  const schemas = { Cat: { type: "object", properties: {} }, Tried: schema };
  const { document, notes } = upgrade({ openapi: "3.0.3", info: {}, paths: {}, components: { schemas } });
  expect(document["openapi"]).toMatch(/^3\.1\./);
  return {
    schema: Object(document["components"]).schemas.Tried,
    notes: notes.map((note) => note.replace("#/components/schemas/", "")),
  };
}

const silent: Readonly<Record<string, readonly [written: object, is: object]>> = {
  "`nullable` beside `type`": [{ type: "string", nullable: true }, { type: ["string", "null"] }],
  "`nullable: false`": [{ type: "string", nullable: false }, { type: "string" }],
  "`nullable` beside a list of types, which 3.0 does not have": [
    { type: ["string", "integer"], nullable: true },
    { type: ["string", "integer", "null"] },
  ],
  "an `enum` with null": [
    { type: "string", nullable: true, enum: ["a", null] },
    { type: ["string", "null"], enum: ["a", null] },
  ],
  "`exclusiveMinimum` and `exclusiveMaximum`": [
    { type: "number", minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: false },
    { type: "number", exclusiveMinimum: 1, maximum: 2 },
  ],
  "`format: binary`": [
    { type: "string", format: "binary" },
    { type: "string", contentMediaType: "application/octet-stream" },
  ],
  "`format: byte`": [
    { type: "string", format: "byte" },
    { type: "string", contentEncoding: "base64" },
  ],
  "`example`": [
    { type: "integer", example: 1 },
    { type: "integer", examples: [1] },
  ],
  "properties that are named like keywords": [
    { properties: { nullable: { type: "boolean" }, example: { type: "string" }, $ref: { type: "string" } } },
    { properties: { nullable: { type: "boolean" }, example: { type: "string" }, $ref: { type: "string" } } },
  ],
  "values that look like schemas": [
    { type: "object", default: { nullable: true, example: 1 }, enum: [{ nullable: true, $ref: "x", a: 1 }] },
    { type: "object", default: { nullable: true, example: 1 }, enum: [{ nullable: true, $ref: "x", a: 1 }] },
  ],
};

it.each(Object.entries(silent))("upgrades %s without a note", (_, [written, is]) => {
  expect(upgraded(written)).toEqual({ schema: is, notes: [] });
});

const noted: Readonly<Record<string, readonly [written: object, is: object, note: string]>> = {
  "keys beside `$ref`": [
    { properties: { cat: { ...cat, description: "A cat.", type: "object" } } },
    { properties: { cat } },
    "Tried/properties/cat: `description`, `type` beside `$ref` was removed, because OpenAPI 3.0 ignores it.",
  ],
  "marks of directions beside `$ref`": [
    { properties: { cat: { ...cat, readOnly: true } } },
    { properties: { cat: { ...cat, readOnly: true } } },
    "Tried/properties/cat: `readOnly` counts now. OpenAPI 3.0 ignores it beside `$ref`.",
  ],
  "`nullable` beside `$ref`": [
    { items: { ...cat, nullable: true } },
    { items: { anyOf: [cat, { type: "null" }] } },
    "Tried/items: null is valid now. OpenAPI 3.0 ignores `nullable` beside `$ref`.",
  ],
  "`nullable` beside `allOf`": [
    { allOf: [cat], nullable: true },
    { anyOf: [cat, { type: "null" }] },
    "Tried: null is valid now. OpenAPI 3.0 ignores `nullable` beside `allOf` without `type`.",
  ],
  "`nullable` beside `allOf` and `anyOf`": [
    { allOf: [cat], anyOf: [{ minProperties: 1 }], nullable: true },
    { allOf: [cat], anyOf: [{ minProperties: 1 }] },
    "Tried: `nullable` beside `allOf` and `anyOf` was removed, because OpenAPI 3.0 ignores it without `type`.",
  ],
  "`nullable` beside `oneOf`": [
    { oneOf: [cat], nullable: true },
    { oneOf: [cat, { type: "null" }] },
    "Tried: null is valid now. OpenAPI 3.0 ignores `nullable` beside `oneOf` without `type`.",
  ],
  "`nullable` beside a `oneOf` of which one choice permits null": [
    { oneOf: [{ type: "string", nullable: true }, cat], nullable: true },
    { oneOf: [{ type: ["string", "null"] }, cat] },
    "Tried: null is valid now. OpenAPI 3.0 ignores `nullable` beside `oneOf` without `type`.",
  ],
  "`nullable` alone in a union": [
    { anyOf: [cat, { nullable: true, description: "No cat." }] },
    { anyOf: [cat, { type: "null", description: "No cat." }] },
    "Tried/anyOf/1: only null is valid now. OpenAPI 3.0 ignores `nullable` alone.",
  ],
  "`nullable` beside `type` and `anyOf`": [
    { type: "object", anyOf: [cat], nullable: true },
    { type: ["object", "null"], anyOf: [cat] },
    "Tried: `type` permits null, which is valid only if `anyOf` permits it, too.",
  ],
  "`nullable` alone": [
    { additionalProperties: { nullable: true } },
    { additionalProperties: {} },
    "Tried/additionalProperties: `nullable` alone was removed, because OpenAPI 3.0 ignores it without `type`.",
  ],
  "an `enum` without null": [
    { type: "string", nullable: true, enum: ["a"] },
    { type: ["string", "null"], enum: ["a"] },
    "Tried: null is not valid, because `enum` does not list it, as in OpenAPI 3.0.3.",
  ],
};

it.each(Object.entries(noted))("upgrades %s with a note", (_, [written, is, note]) => {
  expect(upgraded(written)).toEqual({ schema: is, notes: [note] });
});

it("reads a whole document: references, paths, media types, callbacks", () => {
  const limit = { name: "limit", in: "query", schema: { type: "integer", nullable: true }, example: 1 };
  const media = { schema: { ...cat, title: "Cat" }, example: { a: 1 }, examples: { b: { value: { b: 1 } } } };
  const answer = { description: "", content: { "application/json": media } };
  const get = {
    parameters: [{ $ref: "#/components/parameters/limit", required: true }],
    responses: { default: answer, 200: { $ref: "#/components/responses/nullable", description: "Kept elsewhere." } },
    callbacks: { done: { "{$request.body#/url}": { post: { responses: { default: answer } } } } },
  };
  const components = { parameters: { limit }, responses: { nullable: answer }, schemas: { Cat: {} } };
  const written = { openapi: "3.0.0", paths: { "/example/{id}": { get, summary: "Path" } }, components };
  const { document, notes } = upgrade(JSON.parse(JSON.stringify(written)));
  const path = "#/paths/~1example~1%7Bid%7D/get";
  const removed = (place: string, key: string) =>
    `${place}: \`${key}\` beside \`$ref\` was removed, because OpenAPI 3.0 ignores it.`;
  expect(notes).toEqual([
    removed(`${path}/parameters/0`, "required"),
    removed(`${path}/responses/200`, "description"),
    removed(`${path}/responses/default/content/application~1json/schema`, "title"),
    removed(
      `${path}/callbacks/done/%7B%24request.body%23~1url%7D/post/responses/default/content/application~1json/schema`,
      "title",
    ),
    removed("#/components/responses/nullable/content/application~1json/schema", "title"),
  ]);
  expect(Object(document["components"]).parameters.limit).toEqual({
    name: "limit",
    in: "query",
    schema: { type: ["integer", "null"] },
    examples: { default: { value: 1 } },
  });
  expect(Object(document["components"]).responses.nullable.content["application/json"]).toEqual({
    schema: cat,
    examples: { default: { value: { a: 1 } }, b: { value: { b: 1 } } },
  });
});

it("keeps the places that references lead to", () => {
  const schema = { nullable: true, allOf: [{ properties: { a: {} } }] };
  const b = { $ref: "#/components/schemas/A/allOf/0/properties/a" };
  const { document, notes } = upgrade({ openapi: "3.0.1", components: { schemas: { A: schema, B: b } } });
  expect(document["components"]).toEqual({ schemas: { A: { allOf: schema.allOf }, B: b } });
  expect(notes).toEqual([
    "#/components/schemas/A: `nullable` beside `allOf` was removed, because OpenAPI 3.0 ignores it without `type`.",
  ]);
});

it("leaves its argument and documents of other versions as they are", () => {
  const written: JsonObject = { openapi: "3.0.0", components: { schemas: { A: { type: "string", nullable: true } } } };
  const before = structuredClone(written);
  expect(isObject(upgrade(written).document)).toBe(true);
  expect(written).toEqual(before);
  for (const version of ["3.1.0", "3.2.0"]) {
    const document = { ...written, openapi: version };
    expect(upgrade(document)).toEqual({ document, notes: [] });
  }
});
