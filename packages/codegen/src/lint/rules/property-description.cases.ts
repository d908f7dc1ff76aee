import { answer, answerOf, type Cases } from "../cases.ts";

const thing = { $ref: "#/components/schemas/Thing" };

export const cases: Cases = {
  pass: {
    "a property that is described": {
      document: answerOf({ properties: { size: { type: "number", description: "Its size, in meters." } } }),
    },
    "a property with a rule": {
      document: answerOf({
        properties: { size: { "x-rules": [{ id: "size", basis: "proposed", text: "Its size." }] } },
      }),
    },
    "a property whose schema is described": {
      document: answerOf({ properties: { thing } }, { Thing: { description: "A thing." } }),
    },
    "a reference that is described": {
      document: answerOf({ properties: { thing: { ...thing, description: "The one that was made." } } }, { Thing: {} }),
    },
    "a property of a condition": { document: answerOf({ not: { properties: { size: { type: "number" } } } }) },
  },
  fail: {
    "a property without": {
      document: answerOf({ properties: { size: { type: "number" } } }),
      says: "`size` has no description. Describe it in a sentence, with its unit.",
      at: `${answer}/schema/properties/size`,
    },
    "a property of a property called not": {
      document: answerOf({ properties: { not: { description: "Not.", properties: { size: {} } } } }),
      says: "`size` has no description. Describe it in a sentence, with its unit.",
      at: `${answer}/schema/properties/not/properties/size`,
    },
    "a property whose schema has none": {
      document: answerOf({ properties: { thing } }, { Thing: {} }),
      says: "`thing` has no description. Describe it in a sentence, with its unit.",
      at: `${answer}/schema/properties/thing`,
    },
  },
};
