import { documentOf, operation, type Cases } from "../cases.ts";
import type { Node } from "../node.ts";

const target = { operationId: "create_thing", "x-resend": "always", "x-stream": { toggle: "stream", end: "[DONE]" } };
const both = (alias: Node, more: Readonly<Record<string, Node>> = {}): Node =>
  documentOf({ "POST /target": target, "POST /things": { "x-alias-of": "create_thing", ...alias }, ...more });

export const cases: Cases = {
  pass: {
    "an alias that says nothing else": { document: both({}) },
    "an alias that says the same": {
      document: both({ "x-resend": "always", "x-stream": { end: "[DONE]", toggle: "stream" } }),
    },
  },
  fail: {
    "an operation that is not there": {
      document: both({ "x-alias-of": "make_thing" }),
      says: "No operation here has the operationId `make_thing`. Name the one that this repeats.",
      at: `${operation}/x-alias-of`,
    },
    "an alias of an alias": {
      document: both(
        { "x-alias-of": "other_thing" },
        { "POST /other": { operationId: "other_thing", "x-alias-of": "create_thing" } },
      ),
      says: "POST /other is an alias itself. Name the operation that it repeats.",
      at: `${operation}/x-alias-of`,
    },
    "another HTTP method": {
      document: documentOf({ "GET /target": target, "POST /things": { "x-alias-of": "create_thing" } }),
      says: "An alias repeats the HTTP method too, and GET /target has another. Name an operation with POST.",
      at: `${operation}/x-alias-of`,
    },
    "a method of its own": {
      document: both({ "x-client-method": "things.create" }),
      says: "An alias has no method of its own. Remove `x-client-method`.",
      at: `${operation}/x-client-method`,
    },
    "another way of resending": {
      document: both({ "x-resend": "never" }),
      says: "An alias behaves as its operation does. Remove `x-resend`, or write what POST /target has.",
      at: `${operation}/x-resend`,
    },
    "another stream": {
      document: both({ "x-stream": { toggle: "stream", end: "[END]" } }),
      says: "An alias behaves as its operation does. Remove `x-stream`, or write what POST /target has.",
      at: `${operation}/x-stream`,
    },
  },
};
