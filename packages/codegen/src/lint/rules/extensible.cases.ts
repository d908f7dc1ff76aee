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
  "`x-extensible` is allowed only on an enumeration of strings, or on a union with a discriminator. Move it there, or remove it.";

export const cases: Cases = {
  pass: {
    "an enumeration in a response": { document: answerOf({ properties: { status } }) },
    "an enumeration that may be null": {
      document: answerOf({ type: ["string", "null"], enum: ["stop", null], "x-extensible": true }),
    },
    "a union in a list of a response": {
      document: answerOf(
        { type: "array", items: { $ref: "#/components/schemas/Pet" } },
        { Pet: union, Cat: kind("cat"), Dog: kind("dog") },
      ),
    },
    "a schema of a response and of a request": {
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
    "a union without a discriminator": {
      document: answerOf({ oneOf: [{ type: "string" }, { type: "null" }], "x-extensible": true }),
      says: kindSays,
      at: `${answer}/schema/x-extensible`,
    },
    "a schema that only requests use": {
      document: operationOf({ requestBody: contentOf({ schema: status }) }),
      says: "`x-extensible` is only for responses, and no response uses this schema. Remove it.",
      at: `${operation}/requestBody/content/application~1json/schema/x-extensible`,
    },
  },
};
