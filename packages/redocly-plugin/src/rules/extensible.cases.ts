import { answer, answerOf, contentOf, operation, operationOf, type Cases } from "../cases.ts";

const kind = (name: string) => ({
  title: name,
  type: "object",
  properties: { kind: { const: name } },
  required: ["kind"],
});
const union = {
  type: "object",
  "x-extensible": true,
  oneOf: ["Cat", "Dog"].map((name) => ({ $ref: `#/components/schemas/${name}` })),
  discriminator: {
    propertyName: "kind",
    mapping: { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" },
  },
};
const status = { type: "string", enum: ["queued", "done"], "x-extensible": true };
const kindSays =
  "`x-extensible` opens an enumeration of strings, or a union with a discriminator. Move it to one, or remove it.";

export const cases: Cases = {
  pass: {
    "an enumeration in an answer": { document: answerOf({ properties: { status } }) },
    "one that may be null": {
      document: answerOf({ type: ["string", "null"], enum: ["stop", null], "x-extensible": true }),
    },
    "a union in a list of an answer": {
      document: answerOf(
        { type: "array", items: { $ref: "#/components/schemas/Pet" } },
        { Pet: union, Cat: kind("cat"), Dog: kind("dog") },
      ),
    },
    "a schema that stands in an answer and in a request": {
      document: operationOf(
        {
          requestBody: contentOf({ schema: { $ref: "#/components/schemas/Status" } }),
          responses: { "200": contentOf({ schema: { $ref: "#/components/schemas/Status" } }) },
        },
        { components: { schemas: { Status: status } } },
      ),
    },
  },
  fail: {
    "an object": {
      document: answerOf({ type: "object", "x-extensible": true }),
      says: kindSays,
      at: `${answer}/schema/x-extensible`,
    },
    "an enumeration of numbers": {
      document: answerOf({ enum: [1, 2], "x-extensible": true }),
      says: kindSays,
      at: `${answer}/schema/x-extensible`,
    },
    "a union that nothing tells apart": {
      document: answerOf({ oneOf: [{ type: "string" }, { type: "null" }], "x-extensible": true }),
      says: kindSays,
      at: `${answer}/schema/x-extensible`,
    },
    "what is sent alone": {
      document: operationOf({ requestBody: contentOf({ schema: status }) }),
      says: "`x-extensible` opens a set of answers, and no answer has this one. Remove it.",
      at: `${operation}/requestBody/content/application~1json/schema/x-extensible`,
    },
  },
};
