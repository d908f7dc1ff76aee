import { readDocument } from "@trainyard/document";
import { expect, it } from "vitest";
import { fillFields } from "./fields.ts";

const schema = {
  type: "object",
  properties: {
    either: { anyOf: [{ type: "integer" }, { type: "string" }, { type: "null" }] },
    text: { type: "string" },
    any: { type: ["number", "string", "boolean"] },
  },
};
const document = readDocument({
  openapi: "3.1.0",
  info: { title: "Fields", version: "1.0.0" },
  paths: {
    "/things": {
      post: {
        operationId: "make",
        requestBody: { content: { "application/json": { schema } } },
        responses: { "204": { description: "Made." } },
      },
    },
  },
});

it.each([
  ["either", "8", 8],
  ["either", "auto", "auto"],
  ["either", '"8"', "8"],
  ["either", "8.5", "8.5"],
  ["either", "12345678901234567890", "12345678901234567890"],
  ["either", "true", "true"],
  ["either", "null", null],
  ["text", "8", "8"],
  ["text", '"8"', '"8"'],
  ["any", "8.5", 8.5],
  ["any", "true", true],
])("--%s %s is read as the schema says", (name, typed, value) => {
  const [operation] = document.operations;
  if (operation === undefined) throw new Error("The document has no operation.");
  expect(fillFields(document, operation, new Map([[name, [typed]]])).body).toEqual({ [name]: value });
});
