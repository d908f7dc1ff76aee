import type { JsonObject } from "@trainyard/core/validation";
import { contentOf, operationOf, type Cases } from "../cases.ts";

const variant = (kind: string): JsonObject => ({
  title: kind,
  type: "object",
  properties: { kind: { const: kind } },
  required: ["kind"],
});
const union = (rest: JsonObject): JsonObject => ({
  type: "object",
  oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
  discriminator: {
    propertyName: "kind",
    mapping: { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" },
  },
  ...rest,
});
const returning = (examples: JsonObject, rest: JsonObject = { "x-extensible": true }, mediaType?: string): JsonObject =>
  operationOf(
    { responses: { "200": contentOf({ schema: { $ref: "#/components/schemas/Pet" }, examples }, mediaType) } },
    { components: { schemas: { Pet: union(rest), Cat: variant("cat"), Dog: variant("dog") } } },
  );
const example = (value: unknown): JsonObject => ({ summary: "A pet in a list", value });

export const cases: Cases = {
  pass: {
    "an example of each variant": {
      document: returning({ cat: example({ kind: "cat" }), dog: example({ kind: "dog" }) }),
    },
    "each variant within one example": {
      document: returning({ both: example({ data: [{ kind: "cat" }, { kind: "dog" }] }) }),
    },
    "each variant in the events of a stream": {
      document: returning(
        { both: example('data: {"kind": "cat"}\n\ndata: {"kind": "dog"}\n\ndata: [DONE]\n\n') },
        { "x-extensible": true },
        "text/event-stream",
      ),
    },
    "a closed union, whose variants need no examples": { document: returning({ cat: example({ kind: "cat" }) }, {}) },
  },
  fail: {
    "a variant without an example": {
      document: returning({ cat: example({ kind: "cat" }) }),
      says: "No example of a response has `kind: dog`. Add one, so that the mock and the reference show it.",
      at: "#/components/schemas/Pet/discriminator/mapping/dog",
    },
  },
};
