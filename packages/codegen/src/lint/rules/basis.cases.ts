import { answer, answerOf, contentOf, operation, operationOf, type Cases } from "../cases.ts";

const basis = { "x-basis": "interface" };
const tag = { name: "tag", in: "query", schema: { type: "string" } };
const filed = { "200": contentOf({ schema: { $ref: "schemas/Thing.yaml" } }) };

export const cases: Cases = {
  pass: {
    "a component schema with a basis": { document: answerOf({ $ref: "#/components/schemas/Thing" }, { Thing: basis }) },
    "a shared response with a basis": {
      document: operationOf({ responses: { "200": { $ref: "Ok.yaml" } } }),
      files: { "Ok.yaml": { description: "Fine.", "x-basis": "adopted" } },
    },
    "a property that differs from its schema": {
      document: answerOf({
        properties: { id: { type: "string", "x-basis": "proposed", examples: [{ "x-basis": "proposed" }] } },
      }),
    },
  },
  fail: {
    "an operation without it": {
      document: operationOf({ "x-basis": undefined }),
      says: "An operation must name its source. Add `x-basis: interface`, `adopted` or `proposed`.",
      at: operation,
    },
    "a component schema without it": {
      document: answerOf({ $ref: "#/components/schemas/Thing" }, { Thing: { type: "object" } }),
      says: "A component schema must name its source. Add `x-basis: interface`, `adopted` or `proposed`.",
      at: "#/components/schemas/Thing",
    },
    "a schema file without it, once for two references": {
      document: operationOf({ responses: filed, requestBody: filed["200"] }),
      files: { "schemas/Thing.yaml": { type: "object" } },
      says: "A component schema must name its source. Add `x-basis: interface`, `adopted` or `proposed`.",
      at: "#/",
      file: "schemas/Thing.yaml",
    },
    "a shared response without it": {
      document: operationOf({ responses: { "200": { $ref: "Ok.yaml" } } }),
      files: { "Ok.yaml": { description: "Fine." } },
      says: "A shared response must name its source. Add `x-basis: interface`, `adopted` or `proposed`.",
      at: "#/",
      file: "Ok.yaml",
    },
    "a shared parameter without it": {
      document: operationOf({ parameters: [{ $ref: "Tag.yaml" }] }),
      files: { "Tag.yaml": tag },
      says: "A shared parameter must name its source. Add `x-basis: interface`, `adopted` or `proposed`.",
      at: "#/",
      file: "Tag.yaml",
    },
    "a property with the basis of its schema": {
      document: answerOf(
        { $ref: "#/components/schemas/Thing" },
        { Thing: { ...basis, properties: { id: { "x-basis": "adopted", items: basis }, size: basis } } },
      ),
      says: "The parent already has the basis `interface`. Remove `x-basis`.",
      at: "#/components/schemas/Thing/properties/size/x-basis",
    },
    "x-basis beside a reference": {
      document: answerOf({ $ref: "#/components/schemas/Thing", "x-basis": "adopted" }, { Thing: basis }),
      says: "A `$ref` allows no other keys. Move `x-basis` to its target.",
      at: `${answer}/schema/x-basis`,
    },
  },
};
