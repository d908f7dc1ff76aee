import { answer, answerOf, type Cases } from "../cases.ts";

const text = { type: "string", title: "Text" };
const parts = { type: "array", title: "Parts" };

export const cases: Cases = {
  pass: {
    "titled variants": { document: answerOf({ oneOf: [text, parts, { type: "null" }] }) },
    "one variant or null, which is no choice": {
      document: answerOf({ anyOf: [{ type: "string" }, { type: "null" }] }),
    },
    "a variant that is a union": {
      document: answerOf(
        { anyOf: [{ $ref: "#/components/schemas/Either" }, { type: "number", title: "Number" }] },
        {
          Either: { oneOf: [text, parts] },
        },
      ),
    },
  },
  fail: {
    "a variant without a title": {
      document: answerOf({ anyOf: [text, { type: "array" }] }),
      says: "A variant of a union is shown by its title. Add a `title` of a word or two.",
      at: `${answer}/schema/anyOf/1`,
    },
    "a variant in a component without a title": {
      document: answerOf({ oneOf: [text, { $ref: "#/components/schemas/Parts" }] }, { Parts: { type: "array" } }),
      says: "A variant of a union is shown by its title. Add a `title` of a word or two.",
      at: "#/components/schemas/Parts",
    },
    "a union with a title": {
      document: answerOf({ title: "Either", oneOf: [text, parts] }),
      says: "The title of a union hides those of its variants. Remove it, and title each variant.",
      at: `${answer}/schema/title`,
    },
    "two of a title": {
      document: answerOf({ oneOf: [text, { type: "array", title: "Text" }] }),
      says: "Two variants of the union are called `Text`. Give this one a title of its own.",
      at: `${answer}/schema/oneOf/1/title`,
    },
  },
};
