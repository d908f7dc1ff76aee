import { answer, answerOf, contentOf, operation, operationOf, type Case, type Cases, type Failure } from "../cases.ts";

const term = { until: "2.0.0", instead: "Use boolean." };
const value = (entry: object): Case => ({
  document: answerOf({ type: "string", enum: ["boolean", "categorical"], "x-leaving": [{ ...term, ...entry }] }),
});
const media = (entry: object): Case => ({
  document: operationOf({ responses: { "200": { ...contentOf({}), "x-leaving": [{ ...term, ...entry }] } } }),
});
const method = (entry: object, name: string | undefined = "things.make"): Case => ({
  document: operationOf({ ...(name !== "" && { "x-client-method": name }), "x-leaving": [{ ...term, ...entry }] }),
});

const key = "x-leaving/0";
const early =
  "What leaves stays for two minor versions and 90 days, and leaves only with a major version, so `until` is too early. Write `2.0.0` or a later one.";
const tooEarly = (until: string): Failure => ({
  ...value({ value: "categorical", until }),
  says: early,
  at: `${answer}/schema/${key}/until`,
});

export const cases: Cases = {
  pass: {
    "a value": value({ value: "categorical" }),
    "a value that is no string": {
      document: answerOf({ enum: [1, null], "x-leaving": [{ ...term, value: null }] }),
    },
    "a constant": { document: answerOf({ const: "a", "x-leaving": [{ ...term, value: "a" }] }) },
    "a media type": media({ media: "application/json" }),
    "a method with its new name": method({ method: "things.create", instead: "things.make" }),
    "a later version": value({ value: "categorical", until: "3.0.0" }),
  },
  fail: {
    "a value that the enumeration does not have": {
      ...value({ value: "numeric" }),
      says: "`numeric` is no value of the `enum` beside it, so it cannot leave. Correct it, or remove the entry.",
      at: `${answer}/schema/${key}/value`,
    },
    "a value beside a reference": {
      document: answerOf(
        { properties: { kind: { $ref: "#/components/schemas/Kind", "x-leaving": [{ ...term, value: "a" }] } } },
        { Kind: { enum: ["a", "b"] } },
      ),
      says: "`a` is no value of the `enum` beside it, so it cannot leave. Correct it, or remove the entry.",
      at: `${answer}/schema/properties/kind/${key}/value`,
    },
    "a media type that the body does not have": {
      ...media({ media: "text/event-stream" }),
      says: "`text/event-stream` is no media type of the `content` beside it, so it cannot leave. Correct it, or remove the entry.",
      at: `${operation}/responses/200/${key}/media`,
    },
    "a media type of an operation": {
      ...method({ media: "application/json" }),
      says: "`application/json` is no media type of the `content` beside it, so it cannot leave. Correct it, or remove the entry.",
      at: `${operation}/${key}/media`,
    },
    "the present name of a method": {
      ...method({ method: "things.make", instead: "things.make" }),
      says: "`things.make` is no former name of the method. Write the new name in `x-client-method` beside it.",
      at: `${operation}/${key}/method`,
    },
    "a former name of no method": {
      ...method({ method: "things.create", instead: "things.make" }, ""),
      says: "`things.create` is no former name of the method. Write the new name in `x-client-method` beside it.",
      at: `${operation}/${key}/method`,
    },
    "another new name": {
      ...method({ method: "things.create", instead: "Use things.make." }),
      says: "`instead` must be the new name of the method. Write `things.make`.",
      at: `${operation}/${key}/instead`,
    },
    "the version that the document has": tooEarly("1.0.0"),
    "a minor version": tooEarly("1.3.0"),
    "a minor version after the next major one": tooEarly("2.1.0"),
  },
};
