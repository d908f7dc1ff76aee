import { answer, answerOf, operation, operationOf, type Cases } from "../cases.ts";

const says =
  "Something deprecated must name its replacement. Add a sentence to the description: `Replaced by …` with the name, or `Nothing replaces it`.";
const size = (description?: string) => ({
  type: "object",
  properties: { size: { type: "number", deprecated: true, ...(description !== undefined && { description }) } },
});

export const cases: Cases = {
  pass: {
    "a property that names its replacement": { document: answerOf(size("Its size. Replaced by `length`.")) },
    "a replacement with a period in its name": {
      document: answerOf(size("Replaced by `models.checkpoints.list`. It is slow.")),
    },
    "a property that nothing replaces": { document: answerOf(size("Its size. Nothing replaces it.")) },
    "a reference that names its replacement": {
      document: answerOf(
        {
          properties: {
            thing: { $ref: "#/components/schemas/Thing", deprecated: true, description: "Replaced by `things`." },
          },
        },
        { Thing: {} },
      ),
    },
    "something that is not deprecated": { document: operationOf({ deprecated: false, description: "Makes a thing." }) },
    "an example with a member of that name": {
      document: answerOf({ type: "object", example: { deprecated: true }, properties: { deprecated: {} } }),
    },
  },
  fail: {
    "a property without a description": {
      document: answerOf(size()),
      says,
      at: `${answer}/schema/properties/size/deprecated`,
    },
    "a property that names no replacement": {
      document: answerOf(size("Its size, which is deprecated.")),
      says,
      at: `${answer}/schema/properties/size/deprecated`,
    },
    "a replacement that does not end the sentence": {
      document: answerOf(size("Replaced by `length`")),
      says,
      at: `${answer}/schema/properties/size/deprecated`,
    },
    "an operation": {
      document: operationOf({ deprecated: true, description: "Makes a thing." }),
      says,
      at: `${operation}/deprecated`,
    },
    "a parameter": {
      document: operationOf({ parameters: [{ name: "size", in: "query", deprecated: true, schema: {} }] }),
      says,
      at: `${operation}/parameters/0/deprecated`,
    },
    "a reference": {
      document: answerOf(
        { properties: { thing: { $ref: "#/components/schemas/Thing", deprecated: true, description: "Its thing." } } },
        { Thing: {} },
      ),
      says,
      at: `${answer}/schema/properties/thing/deprecated`,
    },
  },
};
