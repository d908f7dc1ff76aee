import { describe, expect, it } from "vitest";
import type { JsonObject } from "@trainyard/core/validation";
import type { OpenApiDocument } from "@trainyard/document/files";
import { constantNames, operationRows } from "./operation-rows.ts";
import type { OperationInfo } from "./operation-info.ts";
import { operationsTable } from "./operations-table.ts";

const codeOf = (operations: readonly OperationInfo[]) =>
  operationRows({}, constantNames(operations, []), () => "() => void");

const json = (ref: string) => ({ "application/json": { schema: { $ref: `#/components/schemas/${ref}` } } });
const ok = { "200": { description: "Fine.", content: json("Map") } };
const plain: JsonObject = { operationId: "id", "x-client-method": "maps.get", "x-resend": "always", responses: ok };

function documentOf(operation: JsonObject, path = "/maps"): OpenApiDocument {
  const page = { type: "object", properties: { data: { type: "array", items: { $ref: "#/components/schemas/Map" } } } };
  const schemas = {
    Map: { type: "object" },
    Page: { allOf: [page] },
    Question: { properties: { stream: { type: "boolean" } } },
  };
  return {
    openapi: "3.1.0",
    "x-trainyard": 1,
    info: { title: "Atlas", version: "1" },
    paths: { [path]: { post: operation } },
    components: { schemas },
  };
}

const stream = { toggle: "stream", end: "[DONE]", fold: "chat" };
const events = {
  "text/event-stream": { schema: { type: "string", contentSchema: { $ref: "#/components/schemas/Map" } } },
};
const streamed = { "200": { description: "Fine.", content: { ...json("Map"), ...events } } };
const question = { required: true, content: json("Question") };
const pagination = { cursor: "after", item: "id", more: "has_more" };
const { "x-client-method": _, ...nameless } = plain;

it.each<[string, JsonObject, RegExp]>([
  ["a method and an alias", { ...plain, "x-alias-of": "other" }, /alias has no method of its own/],
  ["an alias of nothing", { ...nameless, "x-alias-of": "other" }, /no operation with a method has that operationId/],
  ["a key that is not declared", { ...plain, "x-resend": "with-key" }, /Idempotency-Key is not declared/],
  [
    "a path parameter that is not in the path",
    { ...plain, parameters: [{ name: "id", in: "path" }] },
    /not in the path/,
  ],
  [
    "a style of a path that cannot be written",
    { ...plain, parameters: [{ name: "id", in: "path", required: true, style: "matrix", schema: { type: "string" } }] },
    /id has the style matrix, which is not supported/,
  ],
  ["pages without data", { ...plain, "x-pagination": pagination }, /needs a response with `data`/],
  [
    "pages without a cursor",
    { ...plain, "x-pagination": pagination, responses: { "200": { content: json("Page") } } },
    /not a query parameter/,
  ],
  ["a stream without items", { ...plain, "x-stream": stream, requestBody: question }, /defines an item of the stream/],
  [
    "a stream with an unknown toggle",
    { ...plain, "x-stream": stream, responses: streamed },
    /which the body does not have/,
  ],
])("rejects %s, with a cure", (_name, operation, message) => {
  const { faults } = operationsTable(documentOf(operation));
  expect(faults[0]?.message).toMatch(message);
  expect(faults[0]?.pointer.slice(0, 2)).toEqual(["paths", "/maps"]);
  expect(faults[0]?.cure).toMatch(/\.$/);
});

it("types a text response as a string, and accepts its media type", () => {
  const content = { "application/jsonl": { schema: { type: "string" } } };
  const { operations, faults } = operationsTable(documentOf({ ...plain, responses: { "200": { content } } }));
  expect(faults).toEqual([]);
  expect(operations[0]?.result).toMatchObject({ type: "string", kind: "text", mediaType: "application/jsonl" });
  expect(codeOf(operations)).toContain('accept: "application/jsonl, application/json"');
});

describe("security", () => {
  const schemes = {
    apiKey: { type: "http", scheme: "bearer" },
    basicKey: { type: "http", scheme: "basic" },
    projectKey: { type: "apiKey", in: "header", name: "X-Project-Key" },
    crumb: { type: "apiKey", in: "cookie", name: "crumb" },
    Project: { type: "apiKey", in: "query", name: "key" },
    digest: { type: "http", scheme: "digest" },
    certificate: { type: "mutualTLS" },
  };
  const faultsOf = (...security: object[]) => {
    const document = documentOf({ ...plain, security });
    return operationsTable({ ...document, components: { ...document.components, securitySchemes: schemes } }).faults;
  };

  it("is one that clients can send", () => {
    expect(faultsOf({ apiKey: [], projectKey: [] }, { basicKey: [], crumb: [] }, { Project: [] }, {})).toEqual([]);
  });

  it.each(["digest", "certificate"])("rejects the scheme %s, at its location, once", (name) => {
    expect(faultsOf({ [name]: [] }, { [name]: [], apiKey: [] })).toEqual([
      {
        pointer: ["components", "securitySchemes", name],
        message: `Clients cannot send the credential of the security scheme ${name}.`,
        cure: expect.stringContaining("`http` with `bearer` or `basic`"),
      },
    ]);
  });

  it("leaves out what clients cannot send, if there is another way", () => {
    expect(faultsOf({ digest: [] }, { apiKey: [], basicKey: [] }, { projectKey: [] })).toEqual([]);
  });

  it("rejects two credentials in one header", () => {
    expect(faultsOf({ apiKey: [], basicKey: [] })).toEqual([
      expect.objectContaining({
        pointer: ["paths", "/maps", "post", "security"],
        message: "apiKey and basicKey are needed together, and both are sent in Authorization, which holds one.",
      }),
    ]);
  });
});

it("rejects a path with an undeclared parameter", () => {
  const { faults } = operationsTable(documentOf(plain, "/maps/{id}"));
  expect(faults.map((fault) => fault.message)).toEqual([
    "The path contains {id}, but no path parameter has that name.",
  ]);
});

it("finds the items of a page through allOf, and the item of a stream", () => {
  const responses = { "200": { description: "Fine.", content: json("Page") } };
  const parameters: JsonObject[] = [{ name: "after", in: "query" }];
  const paged = operationsTable(documentOf({ ...plain, "x-pagination": pagination, responses, parameters }));
  expect(paged.operations[0]?.page).toEqual({ ...pagination, type: "Map" });
  const streaming = operationsTable(
    documentOf({ ...plain, "x-stream": stream, responses: streamed, requestBody: question }),
  );
  expect(streaming.operations[0]?.stream).toEqual({ ...stream, type: "Map" });
});

it("sorts path parameters by the path, and defaults to the document's security", () => {
  const parameters: JsonObject[] = [
    { name: "sheet", in: "path", required: true },
    { name: "map", in: "path", required: true },
  ];
  const { components, ...rest } = documentOf({ ...plain, parameters }, "/maps/{map}/{sheet}");
  const bearer = { type: "http", scheme: "bearer" };
  const document = {
    ...rest,
    security: [{ apiKey: [] }, { basicKey: [] }],
    components: { ...components, securitySchemes: { apiKey: bearer, basicKey: { ...bearer, scheme: "basic" } } },
  };
  const { operations, faults } = operationsTable(document);
  expect(faults).toEqual([]);
  expect(operations[0]?.pathParameters.map(({ name }) => name)).toEqual(["map", "sheet"]);
  expect(operations[0]?.security.map((set) => set.map(({ name }) => name))).toEqual([["apiKey"], ["basicKey"]]);
});

it.each<[string, object, readonly string[] | undefined]>([
  ["an object", { type: "object", required: ["id", "name"] }, ["id", "name"]],
  ["a list", { type: "array", items: {} }, []],
  [
    "parts",
    {
      allOf: [
        { type: "object", required: ["id"] },
        { properties: {}, required: ["name"] },
      ],
    },
    ["id", "name"],
  ],
  [
    "branches, what they share",
    {
      oneOf: [
        { type: "object", required: ["id", "a"] },
        { type: "object", required: ["b", "id"] },
      ],
    },
    ["id"],
  ],
  ["a list or an object", { anyOf: [{ type: "array" }, { type: "object", required: ["id"] }] }, undefined],
  ["an object or null", { type: ["object", "null"], required: ["id"] }, undefined],
  ["a text", { type: "string" }, undefined],
  ["an object of which nothing is required", { type: "object", properties: { id: {} } }, undefined],
  ["a reference", { $ref: "#/components/schemas/Map", required: ["id"] }, ["id"]],
])("says what an answer has to have: %s", (_, schema, needs) => {
  const content = { "application/json": { schema: JSON.parse(JSON.stringify(schema)) } };
  const { operations } = operationsTable(documentOf({ ...plain, responses: { "200": { content } } }));
  expect(operations[0]?.result.needs).toEqual(needs);
  expect(codeOf(operations).includes("needs: ")).toBe(needs !== undefined);
});

it.each<[string, object, readonly string[] | undefined, readonly string[] | undefined]>([
  ["an object of the interface", { "x-basis": "interface", required: ["id"], type: "object" }, ["id"], ["id"]],
  ["an adopted object", { "x-basis": "adopted", required: ["id"], type: "object" }, undefined, ["id"]],
  ["a proposed list", { "x-basis": "proposed", type: "array" }, undefined, []],
  [
    "parts of two sources",
    { "x-basis": "adopted", allOf: [{ required: ["a"], "x-basis": "interface", type: "object" }], required: ["b"] },
    ["a"],
    ["b", "a"],
  ],
])("needs of an answer what the interface states, and expects the rest: %s", (_, schema, needs, expects) => {
  const content = { "application/json": { schema: JSON.parse(JSON.stringify(schema)) } };
  for (const around of [{}, { "x-basis": "proposed" }]) {
    const { operations } = operationsTable(documentOf({ ...plain, ...around, responses: { "200": { content } } }));
    expect(operations[0]?.result).toMatchObject({ needs, expects });
    expect(codeOf(operations).includes("expects: ")).toBe(JSON.stringify(needs) !== JSON.stringify(expects));
  }
});
