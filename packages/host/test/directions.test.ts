import { locate, readDocument } from "@trainyard/document";
import { expect, it } from "vitest";
import { sampleOf } from "../src/sample.ts";
import { validatorOf } from "../src/validator.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: object) => ({ type: "object", required: Object.keys(properties), properties });
const id = { type: "string", readOnly: true };
const secret = { type: "string", writeOnly: true };
const text = { type: "string" };
const User = object({ id, name: text, secret });

const Marks = { Stamp: id, Secret: secret, Text: text, User, Base: { type: "object", properties: { id, secret } } };
const sent = { name: "string", secret: "string" };
const received = { id: "string", name: "string" };

/** Where such a user is, and its values in that place. */
const places: readonly [string, schema: object, around: (value: object) => unknown][] = [
  ["a component", User, (value) => value],
  ["a reference", ref("User"), (value) => value],
  ["a reference beside keywords", { ...ref("User"), minProperties: 1 }, (value) => value],
  ["a closed object", { ...User, additionalProperties: false }, (value) => value],
  ["marks of components", object({ id: ref("Stamp"), name: text, secret: ref("Secret") }), (value) => value],
  [
    "marks beside references",
    object({ id: { ...ref("Text"), readOnly: true }, name: text, secret: { ...ref("Text"), writeOnly: true } }),
    (value) => value,
  ],
  ["`allOf`", { allOf: [ref("User"), { type: "object" }] }, (value) => value],
  [
    "a requirement above `allOf`",
    { allOf: [ref("Base"), object({ name: text })], required: ["id", "secret"] },
    (value) => value,
  ],
  ["a property", object({ user: ref("User") }), (value) => ({ user: value })],
  ["a list", { type: "array", items: ref("User") }, (value) => [value]],
  [
    "a map",
    object({ users: { type: "object", additionalProperties: ref("User"), minProperties: 1 } }),
    (value) => ({ users: { property1: value } }),
  ],
  ["a union", { oneOf: [ref("User"), { type: "null" }] }, (value) => value],
];

it.each(places)("judges and samples each direction by its own properties: %s", (_, schema, around) => {
  const media = { content: { "application/json": { schema: ref("Asked") } } };
  const post = { operationId: "post", requestBody: media, responses: { 200: { description: "", ...media } } };
  const { root, operations } = readDocument({
    openapi: "3.1.0",
    info: {},
    paths: { "/": { post } },
    components: { schemas: { ...Marks, Asked: schema } },
  });
  const [operation] = operations;
  if (operation === undefined) throw new Error("There is no operation.");
  const { request, answer, at } = validatorOf(root);
  const judges = {
    request: (value: object) => [
      request(operation, "body", around(value)).length,
      at("#/components/schemas/Asked", around(value)).length,
    ],
    response: (value: object) => [
      answer(operation, 200, "application/json", around(value))?.length,
      at("#/components/schemas/Asked", around(value), "response").length,
    ],
  };
  const both = { ...sent, ...received };
  expect([sent, both].map(judges.request)).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect([received, both].map(judges.response)).toEqual([
    [0, 0],
    [0, 0],
  ]);
  for (const value of [received, { name: "string" }]) expect(Math.min(...judges.request(value))).toBeGreaterThan(0);
  for (const value of [sent, { name: "string" }])
    expect(Math.min(...judges.response(value).map(Number))).toBeGreaterThan(0);
  const asked = locate(root, "#/components/schemas/Asked");
  expect(sampleOf(root, asked, "string", "request")).toEqual({ value: around(sent), faults: [] });
  expect(sampleOf(root, asked)).toEqual({ value: around(received), faults: [] });
});
