import type { JsonObject } from "@trainyard/core/validation";
import { documentOf, operation, type Cases } from "../cases.ts";

const target = { operationId: "create_thing", "x-resend": "always", "x-stream": { toggle: "stream", end: "[DONE]" } };
const both = (alias: JsonObject, more: Readonly<Record<string, JsonObject>> = {}): JsonObject =>
  documentOf({ "POST /target": target, "POST /things": { "x-alias-of": "create_thing", ...alias }, ...more });

export const cases: Cases = {
  pass: {
    "an alias without other keys": { document: both({}) },
    "an alias with the keys of its operation": {
      document: both({ "x-resend": "always", "x-stream": { end: "[DONE]", toggle: "stream" } }),
    },
  },
  fail: {
    "an operation that does not exist": {
      document: both({ "x-alias-of": "make_thing" }),
      says: "No operation of this document has the operationId `make_thing`. Write the operationId of the original operation.",
      at: `${operation}/x-alias-of`,
    },
    "an alias of an alias": {
      document: both(
        { "x-alias-of": "other_thing" },
        { "POST /other": { operationId: "other_thing", "x-alias-of": "create_thing" } },
      ),
      says: "POST /other is an alias itself. Name the original operation.",
      at: `${operation}/x-alias-of`,
    },
    "another HTTP method": {
      document: documentOf({ "GET /target": target, "POST /things": { "x-alias-of": "create_thing" } }),
      says: "An alias must have the HTTP method of its operation, but GET /target has another one. Name an operation with POST.",
      at: `${operation}/x-alias-of`,
    },
    "a client method": {
      document: both({ "x-client-method": "things.create" }),
      says: "An alias must not have a client method. Remove `x-client-method`.",
      at: `${operation}/x-client-method`,
    },
    "a different x-resend": {
      document: both({ "x-resend": "never" }),
      says: "An alias must behave like its operation. Remove `x-resend`, or use the value of POST /target.",
      at: `${operation}/x-resend`,
    },
    "another stream": {
      document: both({ "x-stream": { toggle: "stream", end: "[END]" } }),
      says: "An alias must behave like its operation. Remove `x-stream`, or use the value of POST /target.",
      at: `${operation}/x-stream`,
    },
  },
};
