import { answer, answerOf, type Cases } from "../cases.ts";

const text = { type: "string", title: "Text" };
const parts = { type: "array", title: "Parts" };

export const cases: Cases = {
  pass: {
    "titled variants": { document: answerOf({ oneOf: [text, parts, { type: "null" }] }) },
    "one variant or null, which is not a choice": {
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
      says: "A variant of a union must have a title, under which it is shown. Add a `title` of one or two words.",
      at: `${answer}/schema/anyOf/1`,
    },
    "a variant in a component without a title": {
      document: answerOf({ oneOf: [text, { $ref: "#/components/schemas/Parts" }] }, { Parts: { type: "array" } }),
      says: "A variant of a union must have a title, under which it is shown. Add a `title` of one or two words.",
      at: "#/components/schemas/Parts",
    },
    "a union with a title": {
      document: answerOf({ title: "Either", oneOf: [text, parts] }),
      says: "The title of a union hides those of its variants. Remove it, and give each variant a title.",
      at: `${answer}/schema/title`,
    },
    "two variants with the same title": {
      document: answerOf({ oneOf: [text, { type: "array", title: "Text" }] }),
      says: "Two variants of the union are called `Text`. Give this one another title.",
      at: `${answer}/schema/oneOf/1/title`,
    },
  },
};
