import { type Json } from "@trainyard/document";
import { describe, expect, it } from "vitest";
import { compare, compareWhole } from "../src/compare/service.ts";
import { Document } from "../src/document.ts";
import type { JsonObject } from "../src/json.ts";
import { summary } from "./draft.ts";

/** A service with one operation that sends a schema and reads another. */
function service(request: Json, answer: Json, schemas: JsonObject = {}): Document {
  const content = (schema: Json): JsonObject => ({ "application/json": { schema } });
  return new Document("small", {
    openapi: "3.1.0",
    "x-trainyard": 1,
    info: { title: "Small", version: "1.0.0" },
    paths: {
      "/run": {
        post: {
          "x-client-method": "run",
          requestBody: { content: content(request) },
          responses: { "200": { content: content(answer) } },
        },
      },
    },
    components: { schemas },
  });
}

function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** What changes where a caller sends it, and where it reads it. */
function sent(before: Json, now: Json, schemas: JsonObject = {}, schemasNow: JsonObject = schemas): string[] {
  return summary(compare(service(before, {}, schemas), service(now, {}, schemasNow)));
}

function read(before: Json, now: Json, schemas: JsonObject = {}, schemasNow: JsonObject = schemas): string[] {
  return summary(compare(service({}, before, schemas), service({}, now, schemasNow)));
}

const text = { type: "string" };
const maybe = { anyOf: [ref("Text"), { type: "null" }] };

describe("recursive schemas", () => {
  const tree = (leaf: Json): JsonObject => ({
    Tree: { type: "object", properties: { leaf, branches: { type: "array", items: ref("Tree") } } },
  });

  it("are compared once for all operations that use them", () => {
    expect(sent(ref("Tree"), ref("Tree"), tree(text), tree({ ...text, maxLength: 3 }))).toEqual([
      "breaking limit-tightened Tree.leaf send",
    ]);
  });

  it("may contain themselves through others", () => {
    const ring = (type: string): JsonObject => ({
      A: { properties: { b: ref("B") } },
      B: { properties: { c: { oneOf: [ref("A"), ref("C")] } } },
      C: { properties: { a: ref("A"), end: { type } } },
    });
    expect(read(ref("A"), ref("A"), ring("number"), ring("integer"))).toEqual(["additive type-narrowed C.end read"]);
  });
});

describe("a schema with the same meaning in another form is neutral", () => {
  it.each<[string, Json, Json]>([
    ["a reference to an equal schema", ref("Text"), ref("Words")],
    ["a reference and its content", ref("Text"), text],
    ["null in a union and among types", maybe, { type: ["string", "null"] }],
    ["a wrapping allOf", { allOf: [ref("Text")] }, ref("Text")],
    ["a union of one", { oneOf: [text] }, text],
    ["a list of one type", { type: ["string"] }, text],
    ["a constant and an enumeration of one", { const: "a" }, { type: "string", enum: ["a"] }],
    ["true and a schema that says nothing", { additionalProperties: true }, { additionalProperties: {} }],
    ["a minimum of nothing", { type: "array", minItems: 0 }, { type: "array" }],
    ["false and nothing", { ...text, deprecated: false }, text],
    [
      "unions within a union",
      { anyOf: [{ anyOf: [text, { type: "number" }] }, { anyOf: [{ type: "array" }, { type: "boolean" }] }] },
      { anyOf: [{ anyOf: [{ type: "array" }, { type: "boolean" }] }, { anyOf: [text, { type: "number" }] }] },
    ],
    ["integers beside numbers", { type: ["integer", "number"] }, { type: "number" }],
  ])("%s", (_, before, now) => {
    const schemas = { Text: text, Words: text };
    for (const changes of [sent(before, now, schemas), sent(now, before, schemas), read(before, now, schemas)]) {
      expect(changes.length).toBeGreaterThan(0);
      expect(changes.filter((change) => !change.startsWith("neutral rewritten"))).toEqual([]);
    }
  });
});

it("a reference may be percent-encoded, as a URI is", () => {
  const encoded = { $ref: "#/components/schemas/%7BText%7D" };
  expect(read(encoded, encoded, { "{Text}": text }, { "{Text}": { type: "number" } })).toEqual([
    "breaking type-changed {Text} read",
  ]);
});

describe("unions", () => {
  const [a, b, c] = ["a", "b", "c"].map((tag) => ({ type: "object", properties: { tag: { const: tag } } }));

  it.each<[string, Json, Json, string[], string[]]>([
    [
      "a reference becomes a union with it",
      ref("Text"),
      { oneOf: [ref("Text"), { type: "number" }] },
      ["additive variant-added run › request › (variant 2) send"],
      ["breaking variant-added run › 200 › (variant 2) read"],
    ],
    [
      "variants are known by their tag, wherever they stand",
      { oneOf: [a ?? {}, b ?? {}] },
      { oneOf: [c ?? {}, b ?? {}, a ?? {}] },
      ["additive variant-added run › request › (variant 1) send", "neutral rewritten run › request send"],
      ["breaking variant-added run › 200 › (variant 1) read", "neutral rewritten run › 200 read"],
    ],
    [
      "variants without a type are known by what they say",
      { type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      { type: "object", description: "Other.", anyOf: [{ required: ["b"] }, { required: ["c"] }, { required: ["a"] }] },
      [
        "additive variant-added run › request › (variant 2) send",
        "neutral description-changed run › request send",
        "neutral rewritten run › request send",
      ],
      [
        "breaking variant-added run › 200 › (variant 2) read",
        "neutral description-changed run › 200 read",
        "neutral rewritten run › 200 read",
      ],
    ],
    [
      "a variant without a type may say more",
      { anyOf: [{ properties: { a: text } }, { required: ["b"] }] },
      { anyOf: [{ properties: { a: { ...text, maxLength: 3 } } }, { required: ["b"] }] },
      ["breaking limit-tightened run › request › (variant 1).a send"],
      ["additive limit-tightened run › 200 › (variant 1).a read"],
    ],
    [
      "null beside a union is no variant",
      { anyOf: [{ type: "string" }, { type: "number" }] },
      { anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] },
      ["additive null-added run › request send"],
      ["breaking null-added run › 200 read"],
    ],
    [
      "anything becomes a union",
      {},
      { anyOf: [{ type: "string" }, { type: "number" }] },
      ["breaking type-narrowed run › request send"],
      ["additive type-narrowed run › 200 read"],
    ],
    [
      "oneOf becomes anyOf",
      { oneOf: [{ type: "integer" }, { type: "number" }] },
      { anyOf: [{ type: "integer" }, { type: "number" }] },
      ["additive union-looser run › request send"],
      ["breaking union-looser run › 200 read"],
    ],
  ])("%s", (_, before, now, whereSent, whereRead) => {
    const schemas = { Text: text };
    expect(sent(before, now, schemas)).toEqual(whereSent);
    expect(read(before, now, schemas)).toEqual(whereRead);
  });
});

describe("a schema that was only a variant", () => {
  const tree = (leaf: JsonObject): JsonObject => ({ Text: text, Words: { type: "object" }, Leaf: leaf });
  const union = { oneOf: [ref("Text"), ref("Words"), { type: "number" }] };

  it("leaves with the variant", () => {
    const now = { Text: text, Leaf: { oneOf: [ref("Text"), { type: "number" }] } };
    expect(read(ref("Leaf"), ref("Leaf"), tree(union), now)).toEqual([
      "breaking variant-removed Leaf(Words) read",
      "neutral schema-left Words import",
    ]);
  });

  it("is missed by programs that name it, if the whole union left", () => {
    expect(read(ref("Leaf"), text, tree(union), { Text: text })).toContain("breaking schema-removed Words import");
  });
});

describe("objects", () => {
  it("check a new property against the former schema of undeclared properties", () => {
    const before = { additionalProperties: { type: "number" } };
    const now = { ...before, properties: { total: { type: "string" } } };
    expect(sent(before, now)).toContain("breaking type-changed run › request › total send");
  });

  it("may require properties that they do not declare", () => {
    expect(sent({ required: ["a"] }, { required: ["a", "b"] })).toEqual([
      "breaking property-added-required run › request › b send",
    ]);
  });

  it("are compared through conditions, in both directions", () => {
    const limited = { Text: { ...text, maxLength: 3 } };
    expect(sent({ not: ref("Text") }, { not: ref("Text") }, { Text: text }, limited)).toEqual([
      "breaking limit-tightened Text send read",
    ]);
  });
});

describe("changes that the documents do not show", () => {
  const small = service({}, {});
  const edited = (edit: (operation: JsonObject) => JsonObject): Document => {
    const operation = small.at("/paths/~1run/post").value;
    if (typeof operation !== "object" || operation === null || Array.isArray(operation))
      throw new Error("No operation.");
    return new Document("small", { ...small.root, paths: { "/run": { post: edit(structuredClone(operation)) } } });
  };

  it("a service is added or removed", () => {
    expect(summary(compareWhole("small", undefined, small))).toEqual(["additive service-added document call"]);
    expect(summary(compareWhole("small", small, undefined))).toEqual(["breaking operation-removed run call"]);
    expect(compareWhole("small", small, small)).toEqual([]);
  });

  it("a body becomes required", () => {
    const required = edited((operation) => ({ ...operation, requestBody: { required: true, content: {} } }));
    const optional = edited((operation) => ({ ...operation, requestBody: { content: {} } }));
    expect(summary(compare(optional, required))).toEqual(["breaking body-required run › request send"]);
  });

  it("a header becomes required", () => {
    const header = (required: boolean): Document =>
      edited((operation) => ({
        ...operation,
        responses: { "200": { headers: { "x-id": { required, schema: {} } } } },
      }));
    expect(summary(compare(header(false), header(true)))).toEqual([
      "additive header-required run › 200 › header x-id read",
    ]);
  });

  it("an unused component changes", () => {
    const unused = (description: string): Document =>
      new Document("small", { ...small.root, components: { responses: { Gone: { description } } } });
    expect(summary(compare(unused("a"), unused("b")))).toEqual(["neutral unused-changed response Gone call"]);
  });

  it("a reference has no target, or refers to itself", () => {
    expect(() => sent({}, ref("Missing"))).toThrow(
      "refers to /components/schemas/Missing, which the document does not",
    );
    const loop = { Loop: ref("Loop") };
    expect(() => sent({}, ref("Loop"), loop)).toThrow("refers to itself");
  });
});
