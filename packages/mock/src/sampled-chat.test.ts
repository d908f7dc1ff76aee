import { expect, it } from "vitest";
import { caller } from "../test/call.ts";
import { mockService } from "./index.ts";

const messages = [{ role: "user", content: "When does the next train leave Voss?" }];
const send = caller(mockService("inference").connect());

async function answerOf(schema: object): Promise<unknown> {
  const response_format = { type: "json_schema", json_schema: { name: "own", schema } };
  const { status, body } = await send("POST /chat/completions", {
    body: { model: "demo/tiny", messages, response_format },
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    choices: [{ index: 0, message: { content: expect.any(String) }, finish_reason: "stop" }],
  });
  const [, content = ""] = /"content":("(?:[^"\\]|\\.)*")/.exec(JSON.stringify(body)) ?? [];
  return JSON.parse(JSON.parse(content));
}

const departure = {
  type: "object",
  properties: {
    station: { type: "string", minLength: 3 },
    platform: { type: "integer", minimum: 1 },
    kind: { enum: ["local", "express"] },
    leaves: { type: "string", format: "date-time" },
    stops: { type: "array", minItems: 1, items: { type: "string" } },
    carries: { anyOf: [{ type: "boolean" }, { type: "null" }] },
  },
  required: ["station", "platform", "kind", "leaves", "stops", "carries"],
  additionalProperties: false,
};
const referring = {
  type: "object",
  properties: { next: { $ref: "#/$defs/Departure" } },
  required: ["next"],
  $defs: { Departure: departure },
};

const fitting = {
  station: expect.stringMatching(/.{3}/),
  platform: expect.any(Number),
  kind: expect.stringMatching(/^(local|express)$/),
  leaves: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  stops: [expect.any(String)],
  carries: expect.any(Boolean),
};

it.each([
  ["a schema of one's own", departure, fitting],
  ["one that refers to its own definitions", referring, { next: fitting }],
])("answers JSON of %s", async (_, schema, expected) => {
  expect(await answerOf(schema)).toEqual(expected);
});

it("streams it if the request asks for a stream", async () => {
  const response_format = { type: "json_schema", json_schema: { name: "own", schema: departure } };
  const { body } = await send("POST /chat/completions", {
    body: { model: "demo/tiny", messages, response_format, stream: true },
  });
  expect(String(body)).toMatch(/"content":"\{\\"station\\"/);
  expect(String(body).trimEnd()).toMatch(/data: \[DONE\]$/);
});

it("returns the document's example if its request has the schema, or if no value is made of it", async () => {
  const shown = { allowed: true, most: 6 };
  const properties = { allowed: { type: "boolean" }, most: { type: "integer" } };
  const required = ["allowed", "most"];
  expect(await answerOf({ type: "object", properties, required, additionalProperties: false })).toEqual(shown);
  expect(await answerOf({ type: "object", required: ["a"], properties: { a: false } })).toEqual(shown);
});

it("does not compile the schema of a request", async () => {
  const slow = { type: "string", pattern: "^(a+)+$", examples: [`${"a".repeat(60)}!`] };
  expect(await answerOf({ type: "object", properties: { slow }, required: ["slow"] })).toEqual({
    slow: slow.examples[0],
  });
});
