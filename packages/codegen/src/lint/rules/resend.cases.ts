import type { JsonObject } from "@trainyard/core/validation";
import { contentOf, documentOf, operation, operationOf, type Cases } from "../cases.ts";

const body = (return_existing: JsonObject): JsonObject => ({
  allOf: [
    { type: "object", properties: { name: { type: "string" } } },
    { type: "object", properties: { return_existing } },
  ],
});
const conditional = (always: JsonObject, rule = "with-key"): JsonObject =>
  operationOf({
    "x-resend": { rule, "always-if": always },
    requestBody: contentOf({ schema: body({ type: "boolean" }) }),
    ...(rule === "with-key" && { parameters: [key] }),
  });
const key = { name: "Idempotency-Key", in: "header", schema: { type: "string" } };

export const cases: Cases = {
  pass: {
    "an operation without a key": { document: operationOf({ "x-resend": "always" }) },
    "a key of the operation": { document: operationOf({ "x-resend": "with-key", parameters: [key] }) },
    "a key of the path": {
      document: {
        ...documentOf({}),
        paths: { "/things": { parameters: [key], post: { "x-resend": "with-key", responses: {} } } },
      },
    },
    "a condition": { document: conditional({ return_existing: true, name: "one" }) },
    "a condition without a key": { document: conditional({ return_existing: true }, "never") },
    "an alias, which is retried like its operation": { document: operationOf({ "x-alias-of": "create_thing" }) },
  },
  fail: {
    "an operation without x-resend": {
      document: operationOf({}),
      says: "POST /things does not declare whether it may be retried. Add `x-resend: always`, `with-key` or `never`.",
      at: operation,
    },
    "with-key without a declared key": {
      document: operationOf({ "x-resend": "with-key", parameters: [{ ...key, in: "query" }] }),
      says: "`with-key` requires that the operation declares the key. Add the header parameter `Idempotency-Key`, or choose `always` or `never`.",
      at: `${operation}/x-resend`,
    },
    "a declared key that is never sent": {
      document: operationOf({ "x-resend": "never", parameters: [{ ...key, name: "idempotency-key" }] }),
      says: "The operation declares `Idempotency-Key`, so it may be retried with one. Write `x-resend: with-key`, or remove the parameter.",
      at: `${operation}/x-resend`,
    },
    "a condition on a property with a typing error": {
      document: conditional({ return_exsting: true }),
      says: "The body of POST /things has no property `return_exsting`, so the condition never holds. Name one that the body has.",
      at: `${operation}/x-resend/always-if/return_exsting`,
    },
    "a condition on a property like no other": {
      document: conditional({ overwrite: true }),
      says: "The body of POST /things has no property `overwrite`, so the condition never holds. Name one that the body has.",
      at: `${operation}/x-resend/always-if/overwrite`,
    },
    "a condition beside a declared key that is never sent": {
      document: operationOf({
        "x-resend": { rule: "never", "always-if": { name: "one" } },
        parameters: [key],
        requestBody: contentOf({ schema: body({}) }),
      }),
      says: "The operation declares `Idempotency-Key`, so it may be retried with one. Write `x-resend: with-key`, or remove the parameter.",
      at: `${operation}/x-resend`,
    },
  },
};
