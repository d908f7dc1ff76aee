import { expect, it } from "vitest";
import { readDocument } from "@trainyard/document";
import { invalidStatus } from "./invalid-status.ts";

const document = {
  paths: {
    "/stats": {
      post: {
        operationId: "stats",
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Request" } } } },
        responses: { "200": {}, "400": {}, "422": {} },
      },
    },
  },
  components: {
    schemas: {
      Request: {
        properties: { start: { type: "string" }, metrics: { items: { $ref: "#/components/schemas/Metric" } } },
      },
      Metric: { properties: { json_path: { type: "string", pattern: "^a", "x-invalid-status": 400 } } },
    },
  },
};
const [operation] = readDocument(document).operations;
if (operation === undefined) throw new Error("The document has one operation.");

const path = (type: "value_error" | "string_type") => ({ loc: ["body", "metrics", 0, "json_path"], msg: "", type });
const start = { loc: ["body", "start"], msg: "", type: "missing" as const };

it.each([
  ["a limit with a status of its own", [path("value_error")], 400],
  ["two of them", [path("value_error"), path("value_error")], 400],
  ["the same place with a value of the wrong type", [path("string_type")], 422],
  ["another fault", [start], 422],
  ["both", [path("value_error"), start], 422],
  ["a limit of a query parameter", [{ ...path("value_error"), loc: ["query", "json_path"] }], 422],
])("%s gets the status of the document", (_, faults, status) => {
  expect(invalidStatus(document, operation, faults)).toBe(status);
});
