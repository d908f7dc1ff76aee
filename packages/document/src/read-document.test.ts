import { joinPointer } from "@trainyard/core/validation";
import { describe, expect, it } from "vitest";
import { readDocument } from "./read-document.ts";
import { asOpenApi31, asOpenApi32 } from "./openapi-version.ts";
import { unreadIn, unsupportedIn } from "./unsupported.ts";
import { isKeyed, responseOf } from "./operation.ts";
import { eventsOf, jsonOf, typeName } from "./media.ts";

const model = { type: "object", properties: { id: { type: "string" } } };

function documentOf(parts: { operation?: object; item?: object; components?: object; root?: object }): object {
  return {
    openapi: "3.1.0",
    "x-trainyard": 1,
    info: { title: "Things", version: "1.2.3" },
    servers: [{ url: "{base}/things/", variables: { base: { default: "http://127.0.0.1:4010/a" } } }],
    paths: { "/v1/things/{id}": { ...parts.item, post: { operationId: "make", ...parts.operation } } },
    components: { schemas: { Model: model }, ...parts.components },
    ...parts.root,
  };
}

const operationOf = (parts: Parameters<typeof documentOf>[0]) => {
  const [operation] = readDocument(documentOf(parts)).operations;
  if (operation === undefined) throw new Error("The document has no operation.");
  return operation;
};

it("fills in the defaults of the dialect", () => {
  expect(operationOf({})).toMatchObject({
    name: "make",
    clientMethod: "make",
    method: "POST",
    key: "post",
    path: "/v1/things/{id}",
    resend: "never",
    timeout: 60,
    security: [],
    tags: [],
    deprecated: false,
    pagination: undefined,
    stream: undefined,
    pointer: "#/paths/~1v1~1things~1%7Bid%7D/post",
  });
});

it("reads title, version and the path of the first server", () => {
  expect(readDocument(documentOf({}))).toMatchObject({ title: "Things", version: "1.2.3", prefix: "/a/things" });
});

it("returns the document's own nodes, so that the owner of a copy can change it", () => {
  const root = documentOf({});
  const [operation] = readDocument(root).operations;
  if (operation) operation.node["summary"] = "changed";
  expect(JSON.stringify(root)).toContain('"summary":"changed"');
});

it("names an alias after its original, and adds its path there", () => {
  const root = documentOf({ operation: { "x-client-method": "things.make" } });
  Object.assign(root, {
    paths: {
      "/a": { post: { operationId: "one", "x-client-method": "things.make" } },
      "/a/": { post: { operationId: "two", "x-alias-of": "one" } },
    },
  });
  const [one, two] = readDocument(root).operations;
  expect(one).toMatchObject({ name: "things.make", clientMethod: "things.make", aliases: ["/a/"] });
  expect(two).toMatchObject({ name: "things.make", clientMethod: undefined, aliasOf: "one", aliases: [] });
});

it.each(["@host.test/a", ".host.test/a", "things", "x-draft"])("has no operation at %s, and says so", (path) => {
  const document = readDocument(documentOf({ root: { paths: { [path]: { get: {} }, "/a": { get: {} } } } }));
  expect(document.operations.map((one) => one.path)).toEqual(["/a"]);
  const message = `The path ${path} does not begin with a slash, as OpenAPI requires, and is ignored.`;
  expect(unsupportedIn(document)).toEqual(
    path === "x-draft" ? [] : [{ pointer: joinPointer("#/paths", path), message, cure: "Add the slash." }],
  );
});

describe("parameters", () => {
  it("are overridden by those of the operation, and references are resolved", () => {
    const { parameters } = operationOf({
      item: {
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string" } },
          { name: "limit", in: "query", schema: { type: "integer", default: 20 } },
        ],
      },
      operation: { parameters: [{ $ref: "#/components/parameters/Limit" }] },
      components: {
        parameters: {
          Limit: { name: "limit", in: "query", schema: { $ref: "#/components/schemas/Size" }, example: 5 },
        },
        schemas: { Size: { type: "integer", default: 10 } },
      },
    });
    expect(parameters.map(({ name, example }) => [name, example])).toEqual([
      ["id", undefined],
      ["limit", 5],
    ]);
    expect(parameters[1]?.schema).toEqual({
      node: { type: "integer", default: 10 },
      pointer: "#/components/schemas/Size",
    });
  });

  it("include an Idempotency-Key in any case", () => {
    const keyed = (name: string) => isKeyed(operationOf({ operation: { parameters: [{ name, in: "header" }] } }));
    expect([keyed("idempotency-KEY"), keyed("X-Other")]).toEqual([true, false]);
  });
});

describe("bodies and answers", () => {
  const stream = {
    schema: { type: "string", contentSchema: { $ref: "#/components/schemas/Model" } },
    examples: { plain: { $ref: "#/components/examples/plain" } },
  };
  const operation = operationOf({
    operation: {
      requestBody: {
        required: true,
        content: { "application/json": { schema: { $ref: "#/components/schemas/Model" } } },
      },
      responses: {
        200: { content: { "text/event-stream": stream, "application/problem+json": { example: { id: "a" } } } },
        "4XX": { description: "Wrong." },
        default: { description: "Other." },
      },
    },
    components: { schemas: { Model: model }, examples: { plain: { value: "data: {}\n\n" } } },
  });

  it("names the schema of a body by its component", () => {
    expect(typeName(jsonOf(operation.body?.content ?? new Map())?.schema)).toBe("Model");
  });

  it("finds the item of a stream, and examples behind references", () => {
    const content = responseOf(operation, 200)?.content ?? new Map();
    expect(typeName(eventsOf(content)?.item)).toBe("Model");
    expect(eventsOf(content)?.examples).toEqual(new Map([["plain", "data: {}\n\n"]]));
    expect(jsonOf(content)?.examples).toEqual(new Map([["default", { id: "a" }]]));
  });

  it("finds a response by its status, its range, and else the default", () => {
    expect([200, 404, 500].map((status) => responseOf(operation, status)?.status)).toEqual(["200", "4XX", "default"]);
  });
});

describe("security", () => {
  const carrier = (scheme: object) =>
    operationOf({
      operation: { security: [{ key: [] }] },
      components: { securitySchemes: { key: scheme } },
    }).security[0]?.[0]?.carrier;

  it.each([
    [{ type: "http", scheme: "Bearer" }, { kind: "bearer" }],
    [{ type: "http", scheme: "basic" }, { kind: "basic" }],
    [
      { type: "apiKey", in: "header", name: "X-Project-Key" },
      { kind: "header", name: "X-Project-Key" },
    ],
    [
      { type: "apiKey", in: "query", name: "key" },
      { kind: "query", name: "key" },
    ],
    [{ type: "oauth2", flows: {} }, { kind: "bearer" }],
    [{ type: "openIdConnect", openIdConnectUrl: "https://example.org" }, { kind: "bearer" }],
    [
      { type: "apiKey", in: "cookie", name: "key" },
      { kind: "cookie", name: "key" },
    ],
    [{ type: "http", scheme: "digest" }, undefined],
    [{ type: "mutualTLS" }, undefined],
  ])("carries %j as %j", (scheme, expected) => {
    expect(carrier(scheme)).toEqual(expected);
  });

  it("defaults to the document's, and `[]` removes it", () => {
    const root = { security: [{ key: [] }, {}] };
    const components = { securitySchemes: { key: { type: "http", scheme: "bearer" } } };
    expect(operationOf({ root, components }).security.map((set) => set.map(({ name }) => name))).toEqual([["key"], []]);
    expect(operationOf({ root, components, operation: { security: [] } }).security).toEqual([]);
  });
});

it("reads a document without any of the required parts", () => {
  expect(readDocument({})).toMatchObject({ prefix: "", operations: [], version: "" });
  expect(
    readDocument({ paths: { "/a": { get: null, post: { parameters: [null], responses: 3 } } } }).operations,
  ).toHaveLength(1);
});

it("refuses a dialect that is not known", () => {
  for (const number of [2, "1", null])
    expect(() => readDocument({ "x-trainyard": number })).toThrow(
      `is ${JSON.stringify(number)}, and the only number that is known is 1. Write \`x-trainyard: 1\``,
    );
});

it("says which value of a discriminator leads nowhere, or to no member of its union, and where", () => {
  const mapping = {
    model: "#/components/schemas/Model",
    gone: "#/components/schemas/Gone",
    far: "#/components/schemas/Far",
  };
  const Kinds = { oneOf: [{ $ref: mapping.model }], discriminator: { propertyName: "id", mapping } };
  const notes = unsupportedIn(
    readDocument(documentOf({ components: { schemas: { Model: model, Far: model, Kinds } } })),
  );
  expect(notes).toEqual([
    {
      pointer: "#/components/schemas/Kinds/discriminator/mapping/gone",
      message: "The discriminator's value gone leads to #/components/schemas/Gone, which does not exist (1 place).",
      cure: "Correct it, or add what it names.",
    },
    {
      pointer: "#/components/schemas/Kinds/discriminator/mapping/far",
      message:
        "The discriminator's value far leads to #/components/schemas/Far, which is no member of the union (1 place).",
      cure: "Correct it, or add the member.",
    },
  ]);
});

it("reads QUERY and the methods of `additionalOperations`, and takes them back to OpenAPI 3.2", () => {
  const responses = { 200: { description: "Done.", content: { "application/json": {} } } };
  const requestBody = { content: { "application/json": { schema: model } } };
  const item = { query: { operationId: "find", requestBody, responses } };
  const additionalOperations = {
    COPY: { operationId: "copy", requestBody, responses },
    post: { operationId: "other" },
  };
  const written = {
    ...documentOf({ item }),
    openapi: "3.2.0",
    paths: { "/a": { ...item, additionalOperations } },
  };
  const bundle = asOpenApi31(written);
  const read = readDocument(bundle).operations;
  expect(read.map(({ method, safe, resend, body }) => [method, safe, resend, body !== undefined])).toEqual([
    ["POST", false, "never", false],
    ["QUERY", true, "always", true],
    ["COPY", false, "never", true],
  ]);
  expect(read.map(({ pointer }) => pointer.split("/").at(-1))).toEqual(["post", "query", "COPY"]);
  const { COPY, post } = additionalOperations;
  expect(asOpenApi32(bundle)).toEqual({
    ...written,
    paths: { "/a": { ...item, post, additionalOperations: { COPY } } },
  });
  expect(unreadIn(readDocument(written))).toMatchObject([{ pointer: "#/paths/~1a/additionalOperations" }]);
  expect(unreadIn(readDocument(bundle))).toEqual([]);
});

it("takes an example without a value for none", () => {
  const examples = {
    one: { summary: "An order." },
    two: { externalValue: "https://example.com/o.json" },
    three: { value: null },
  };
  const content = { "application/json": { examples } };
  const [operation] = readDocument({ paths: { "/o": { get: { responses: { 200: { content } } } } } }).operations;
  const media = operation?.responses.get("200")?.content.get("application/json");
  expect([...(media?.examples ?? [])]).toEqual([["three", null]]);
});
