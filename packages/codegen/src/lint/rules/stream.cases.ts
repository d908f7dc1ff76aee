import type { JsonObject } from "@trainyard/core/validation";
import { operation, operationOf, type Cases } from "../cases.ts";

const json = { "application/json": { schema: { type: "object" } } };
const events = (schema: JsonObject): JsonObject => ({ "text/event-stream": { schema } });
const text = { type: "string", contentMediaType: "application/json", contentSchema: { type: "object" } };
const body = (stream: JsonObject): JsonObject => ({
  content: { "application/json": { schema: { type: "object", properties: { stream } } } },
});
const streaming = (content: JsonObject, more: JsonObject = {}): JsonObject =>
  operationOf({
    "x-stream": { toggle: "stream", end: "[DONE]" },
    requestBody: body({ type: ["boolean", "null"] }),
    responses: { "200": { description: "Fine.", content } },
    ...more,
  });
const asIs =
  "The schema of a stream must be `type: string` with a `contentMediaType` and, as `contentSchema`, the schema of one item. Change it to that form.";
const both =
  "An operation that can stream must return 200 as `application/json` and as `text/event-stream`. Declare both, in this order.";

export const cases: Cases = {
  pass: {
    "a stream beside JSON": { document: streaming({ ...json, ...events(text) }) },
    "an operation that does not stream": { document: operationOf({}) },
  },
  fail: {
    "a stream without x-stream": {
      document: streaming({ ...json, ...events(text) }, { "x-stream": undefined }),
      says: "The operation returns a stream. Add `x-stream` with the property that requests it and the data that ends it.",
      at: operation,
    },
    "x-stream without a stream": { document: streaming(json), says: both, at: `${operation}/x-stream` },
    "a stream before JSON": {
      document: streaming({ ...events(text), ...json }),
      says: both,
      at: `${operation}/x-stream`,
    },
    "a stream of objects": {
      document: streaming({ ...json, ...events({ type: "object" }) }),
      says: asIs,
      at: `${operation}/responses/200/content/text~1event-stream/schema`,
    },
    "a stream without the schema of its items": {
      document: streaming({ ...json, ...events({ ...text, contentSchema: undefined }) }),
      says: asIs,
      at: `${operation}/responses/200/content/text~1event-stream/schema`,
    },
    "a toggle that is a string": {
      document: streaming({ ...json, ...events(text) }, { requestBody: body({ type: "string" }) }),
      says: "The request has no boolean `stream`. Declare it, or name the property that requests a stream.",
      at: `${operation}/x-stream/toggle`,
    },
    "a request without a body": {
      document: streaming({ ...json, ...events(text) }, { requestBody: undefined }),
      says: "The request has no boolean `stream`. Declare it, or name the property that requests a stream.",
      at: `${operation}/x-stream/toggle`,
    },
  },
};
