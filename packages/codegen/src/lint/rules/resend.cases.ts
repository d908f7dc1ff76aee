import { documentOf, operation, operationOf, type Cases } from "../cases.ts";

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
  },
};
