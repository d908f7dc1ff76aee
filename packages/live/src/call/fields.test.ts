import { readDocument, unmarked, type Located } from "@trainyard/document";
import { validatorOf } from "@trainyard/host/validator";
import { expect, it } from "vitest";
import { readCall } from "./arguments.ts";
import { fieldNames, fillFields, put } from "./fields.ts";

const schema = {
  type: "object",
  properties: {
    either: { anyOf: [{ type: "integer" }, { type: "string" }, { type: "null" }] },
    text: { type: "string" },
    any: { type: ["number", "string", "boolean"] },
    size: { anyOf: [{ type: "integer" }, { const: "auto" }, { type: "null" }] },
    stop: { type: ["string", "array", "null"], items: { type: "string" } },
    steps: { type: ["array", "null"], items: { type: "integer" } },
    tags: { type: "array", items: { type: "string" } },
    flag: { type: "boolean" },
    body: { type: "string" },
    config: { type: "object", properties: { size: { $ref: "#/components/schemas/Size" }, text: { type: "string" } } },
    metrics: { type: "object", additionalProperties: { type: "number" } },
  },
  allOf: [{ properties: { branch: { type: "integer" } } }, { properties: { other: { type: "string" } } }],
};
const document = readDocument({
  openapi: "3.1.0",
  info: { title: "Fields", version: "1.0.0" },
  components: { schemas: { Size: { enum: [8, "auto"] } } },
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

const [operation] = document.operations;
const validator = validatorOf(document.root);

/** The body that flags set. */
function bodyOf(...args: string[]): object {
  if (operation === undefined) throw new Error("The document has no operation.");
  const names = fieldNames({ document, operation });
  const { fields } = readCall(args, (name) => names.includes(name));
  const accepts = (schema: Located, value: unknown) =>
    validator.at(schema.pointer, JSON.parse(unmarked(JSON.stringify(value)))).length === 0;
  const body = {};
  for (const [path, value] of fillFields(document, operation, fields, accepts).body) put(body, path, value);
  return body;
}

it.each([
  // A text that the schema accepts is sent as it was typed.
  [["--either", "8"], { either: "8" }],
  [["--either", "null"], { either: "null" }],
  [["--either", '"8"'], { either: '"8"' }],
  [["--text", "a,b"], { text: "a,b" }],
  [["--stop", "a,b"], { stop: "a,b" }],
  [["--stop", "a", "--stop", "b,c"], { stop: ["a", "b,c"] }],
  [["--any", "true"], { any: "true" }],
  [["--text=--x"], { text: "--x" }],
  [["--text="], { text: "" }],
  [["--text", "@@home"], { text: "@home" }],
  // Else its JSON, if that is valid.
  [["--size", "8"], { size: 8 }],
  [["--size", "auto"], { size: "auto" }],
  [["--size", "null"], { size: null }],
  [["--config.size", "8", "--config.text", "8"], { config: { size: 8, text: "8" } }],
  [["--metrics.loss", "0.5"], { metrics: { loss: 0.5 } }],
  [["--steps", "null"], { steps: null }],
  [["--steps", "1"], { steps: [1] }],
  [["--steps", "1", "--steps", "2"], { steps: [1, 2] }],
  [["--steps", "[1,2]"], { steps: [1, 2] }],
  [["--tags", "a,b"], { tags: ["a,b"] }],
  [["--tags", '["a,b"]'], { tags: ["a,b"] }],
  [["--branch", "1", "--other", "2"], { branch: 1, other: "2" }],
  // `:=` is JSON, and always a field of the operation.
  [["--either:=8"], { either: 8 }],
  [["--either:=null"], { either: null }],
  [['--stop:=["a"]'], { stop: ["a"] }],
  [["--steps:=1"], { steps: [1] }],
  [['--body:="x"'], { body: "x" }],
  // What is invalid keeps its type for the message.
  [["--size", "8.5"], { size: "8.5" }],
  [["--steps", "x"], { steps: ["x"] }],
  [["--steps", '["x"]'], { steps: ["x"] }],
])("reads %j", (args, body) => {
  expect(bodyOf(...args)).toEqual(body);
});

it.each([
  [["--text", "--size", "8"], "--text needs a value. One that begins with -- is written as --text=--value."],
  [["--flag"], "--flag needs a value"],
  [["--text", "a", "--text", "b"], "--text takes one value, and 2 were given."],
  [["--text", "a", "--Text", "b"], "--Text would replace what another flag sets."],
  [["--config.size", "8", "--config", "{}"], "--config would replace what another flag sets."],
  [["--limit", "1", "--limit", "2"], "--limit takes one value, and several were given."],
  [["--dry-run=false"], "--dry-run takes no value."],
  [["--text:=a"], "--text:= is not valid JSON"],
  [["--text", "@/no/such"], "The file /no/such cannot be read."],
])("refuses %j", (args, message) => {
  expect(() => bodyOf(...args)).toThrow(message);
});

it.each([
  [["--steps", "12345678901234567890"], '{"steps":[12345678901234567890]}'],
  [["--steps", "[9007199254740993,1]"], '{"steps":[9007199254740993,1]}'],
  [["--any:=1e400"], '{"any":1e400}'],
  [["--metrics.loss", "1.0"], '{"metrics":{"loss":1.0}}'],
  [["--text", "12345678901234567890"], '{"text":"12345678901234567890"}'],
])("keeps the digits of %j", (args, text) => {
  expect(unmarked(JSON.stringify(bodyOf(...args)))).toBe(text);
});
