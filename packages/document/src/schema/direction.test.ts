import { expect, it } from "vitest";
import { inDirection } from "./direction.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const id = { type: "string", readOnly: true };
const secret = { type: "string", writeOnly: true };

const documentOf = (schemas: Readonly<Record<string, object>>) => ({
  openapi: "3.1.0",
  info: {},
  paths: {},
  components: { schemas },
});

/** What the component `Asked` requires in a request and in a response. */
function required(Asked: object): unknown[] {
  const schemas = { Asked, Mark: id, Deep: { allOf: [ref("Mark")] }, Base: { properties: { id, name: {} } } };
  return (["request", "response"] as const).map((direction) => {
    const text = JSON.stringify(inDirection(documentOf(schemas), direction));
    return JSON.parse(text, (key, value: unknown) => (key === "properties" ? undefined : value)).components.schemas
      .Asked;
  });
}

it.each<[string, object, request: object, response: object]>([
  [
    "either mark",
    { required: ["id", "name", "secret"], properties: { id, name: {}, secret } },
    { required: ["name", "secret"] },
    { required: ["id", "name"] },
  ],
  ["all that is required", { required: ["id"], properties: { id } }, {}, { required: ["id"] }],
  [
    "a mark that is false",
    { required: ["id"], properties: { id: { readOnly: false } } },
    { required: ["id"] },
    { required: ["id"] },
  ],
  ["an optional property", { properties: { id } }, {}, {}],
  ["what the reference leads to", { required: ["id"], properties: { id: ref("Mark") } }, {}, { required: ["id"] }],
  ["what two references lead to", { required: ["id"], properties: { id: ref("Deep") } }, {}, { required: ["id"] }],
  [
    "a mark beside a reference",
    { required: ["id"], properties: { id: { ...ref("Base"), readOnly: true } } },
    {},
    { required: ["id"] },
  ],
  [
    "a mark in `allOf` of the property",
    { required: ["id"], properties: { id: { allOf: [{ type: "string" }, { readOnly: true }] } } },
    {},
    { required: ["id"] },
  ],
  [
    "a mark in a union of the property",
    { required: ["id"], properties: { id: { anyOf: [ref("Mark"), { type: "null" }] } } },
    {},
    { required: ["id"] },
  ],
  [
    "a requirement above `allOf`",
    { required: ["id", "name"], allOf: [ref("Base")] },
    { allOf: [ref("Base")], required: ["name"] },
    { allOf: [ref("Base")], required: ["id", "name"] },
  ],
  [
    "a requirement beside a reference",
    { ...ref("Base"), required: ["id", "name"] },
    { ...ref("Base"), required: ["name"] },
    { ...ref("Base"), required: ["id", "name"] },
  ],
  [
    "a requirement in another member of `allOf`",
    { allOf: [ref("Base"), { required: ["id", "name"] }] },
    { allOf: [ref("Base"), { required: ["name"] }] },
    { allOf: [ref("Base"), { required: ["id", "name"] }] },
  ],
  [
    "a requirement in a union beside the properties",
    { properties: { id }, anyOf: [{ required: ["id"] }, { required: ["name"] }] },
    { anyOf: [{}, { required: ["name"] }] },
    { anyOf: [{ required: ["id"] }, { required: ["name"] }] },
  ],
  [
    "a union whose members all have the mark",
    { required: ["id"], oneOf: [ref("Base"), { properties: { id } }, { properties: { name: {} } }] },
    { oneOf: [ref("Base"), {}, {}] },
    { oneOf: [ref("Base"), {}, {}], required: ["id"] },
  ],
  [
    "a union one of whose members has the mark",
    { required: ["id"], oneOf: [ref("Base"), { properties: { id: {} } }] },
    { oneOf: [ref("Base"), {}] },
    { oneOf: [ref("Base"), {}], required: ["id"] },
  ],
  [
    "the items of a list",
    { items: { required: ["id"], properties: { id } } },
    { items: {} },
    { items: { required: ["id"] } },
  ],
])("requires in each direction what its values have: %s", (_, schema, request, response) => {
  expect(required(schema)).toEqual([request, response]);
});

it("reads the schemas of bodies, and those that contain themselves", () => {
  const own = { required: ["id", "next"], properties: { id, next: ref("Node") } };
  const body = { required: ["id"], properties: { id } };
  const post = { requestBody: { content: { "application/json": { schema: body } } }, responses: {} };
  const Loop = { required: ["id"], allOf: [ref("Loop")] };
  const root = { ...documentOf({ Node: own, Loop }), paths: { "/nodes": { post } } };
  const sent = JSON.parse(JSON.stringify(inDirection(root, "request")));
  expect(sent.components.schemas).toEqual({ Node: { ...own, required: ["next"] }, Loop });
  expect(sent.paths["/nodes"].post.requestBody.content["application/json"].schema).toEqual({ properties: { id } });
  expect(root.components.schemas["Node"]).toBe(own);
});

it("returns a document without marks as it is", () => {
  const root = documentOf({ Node: { required: ["id"], properties: { id: {} } } });
  expect(inDirection(root, "request")).toBe(root);
});
