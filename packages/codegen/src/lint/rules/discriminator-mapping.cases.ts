import type { JsonObject } from "@trainyard/core/validation";
import { answer, answerOf, type Cases } from "../cases.ts";

const branch = (kind: string): JsonObject => ({
  type: "object",
  properties: { kind: { const: kind } },
  required: ["kind"],
});
const schemas = { Cat: branch("cat"), Dog: branch("dog") };
const cat = { $ref: "#/components/schemas/Cat" };
const dog = { $ref: "#/components/schemas/Dog" };
const mapping = { cat: cat.$ref, dog: dog.$ref };
const union = { type: "object", oneOf: [cat, dog], discriminator: { propertyName: "kind", mapping } };
const both = "A branch of a discriminator must require `kind` and give it a `const`. Add what is missing.";
const mapped = (to: JsonObject): JsonObject =>
  answerOf({ ...union, discriminator: { propertyName: "kind", mapping: to } }, schemas);

export const cases: Cases = {
  pass: {
    "a full mapping": { document: answerOf(union, schemas) },
    "branches in files": {
      document: answerOf({
        type: "object",
        oneOf: [{ $ref: "schemas/Cat.yaml" }],
        discriminator: { propertyName: "kind", mapping: { cat: "./schemas/Cat.yaml" } },
      }),
      files: { "schemas/Cat.yaml": branch("cat") },
    },
    "a union without a discriminator": { document: answerOf({ oneOf: [cat, dog] }, schemas) },
  },
  fail: {
    "a mapping that lacks a branch": {
      document: mapped({ cat: cat.$ref }),
      says: "The mapping does not map `dog` to its branch. Add `dog` with a reference to that branch.",
      at: `${answer}/schema/discriminator/mapping`,
    },
    "a mapping to another schema": {
      document: mapped({ cat: cat.$ref, dog: cat.$ref }),
      says: "The mapping does not map `dog` to its branch. Add `dog` with a reference to that branch.",
      at: `${answer}/schema/discriminator/mapping/dog`,
    },
    "a mapping with an unknown value": {
      document: mapped({ ...mapping, cow: cat.$ref }),
      says: "No branch has `kind: cow`. Remove `cow` from the mapping, or add the branch to `oneOf`.",
      at: `${answer}/schema/discriminator/mapping/cow`,
    },
    "a branch that does not require the property": {
      document: answerOf(
        { ...union, oneOf: [cat], discriminator: { propertyName: "kind", mapping: {} } },
        { Cat: { ...schemas.Cat, required: [] } },
      ),
      says: both,
      at: "#/components/schemas/Cat",
    },
    "a branch without a constant": {
      document: answerOf(
        { ...union, oneOf: [cat], discriminator: { propertyName: "kind", mapping: {} } },
        { Cat: { ...schemas.Cat, properties: { kind: { type: "string" } } } },
      ),
      says: both,
      at: "#/components/schemas/Cat",
    },
    "a discriminator without a type": {
      document: answerOf({ ...union, type: undefined }, schemas),
      says: "A discriminator reads a property, so it cannot apply to an array. Add `type: object`.",
      at: `${answer}/schema/discriminator`,
    },
    "anyOf, which validators reject": {
      document: answerOf({ ...mapless(), anyOf: [cat, dog] }, schemas),
      says: "A discriminator requires `oneOf`. List the branches there.",
      at: `${answer}/schema/discriminator`,
    },
  },
};

function mapless(): JsonObject {
  return { type: "object", discriminator: { propertyName: "kind" } };
}
