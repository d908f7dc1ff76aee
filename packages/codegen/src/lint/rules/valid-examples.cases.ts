import type { JsonObject } from "@trainyard/core/validation";
import { answer, answerOf, contentOf, operation, operationOf, type Cases, type Failure } from "../cases.ts";

const thing = { type: "object", properties: { size: { type: "integer" } }, required: ["size"] };
const union = {
  type: "object",
  oneOf: ["Cat", "Dog"].map((name) => ({ $ref: `#/components/schemas/${name}` })),
  discriminator: {
    propertyName: "kind",
    mapping: { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" },
  },
};
const branch = (kind: string, size: JsonObject): JsonObject => ({
  type: "object",
  properties: { kind: { const: kind }, size },
  required: ["kind", "size"],
});
const branches = { Cat: branch("cat", { type: "integer" }), Dog: branch("dog", { type: "string" }) };

const text = { type: "string" };
const user = {
  Id: { ...text, readOnly: true },
  User: {
    allOf: [
      { properties: { id: { $ref: "#/components/schemas/Id" }, secret: { ...text, writeOnly: true } } },
      { required: ["id", "name", "secret"], properties: { name: text } },
    ],
  },
};
const users = { type: "array", items: { $ref: "#/components/schemas/User" } };

const answering = (schema: JsonObject, value: unknown): JsonObject =>
  operationOf(
    { responses: { "200": contentOf({ schema, examples: { one: { value } } }) } },
    { components: { schemas: branches } },
  );
const misfit = (what: string): string => `The example does not match its schema. ${what} Fix one of them.`;

const events = `${operation}/responses/200/content/text~1event-stream`;
const streamed = (value: string): JsonObject =>
  operationOf({
    "x-stream": { toggle: "stream", end: "[DONE]" },
    responses: {
      "200": contentOf(
        {
          schema: { type: "string", contentMediaType: "application/json", contentSchema: thing },
          examples: { one: { value } },
        },
        "text/event-stream",
      ),
    },
  });

function badStream(value: string, says: string): Failure {
  return { document: streamed(value), says, at: `${events}/examples/one/value` };
}

function badLines(value: string, says: string): Failure {
  const schema = { type: "string", contentMediaType: "application/jsonl", contentSchema: thing };
  return {
    document: operationOf({
      responses: { "200": contentOf({ schema, examples: { one: { value } } }, "application/jsonl") },
    }),
    says,
    at: `${operation}/responses/200/content/application~1jsonl/examples/one/value`,
  };
}

function uncompiled(schema: JsonObject, reason: string): Failure {
  return {
    document: answerOf({ $ref: "#/components/schemas/Thing" }, { Thing: schema }),
    says: `The schema does not compile under dialect 2020-12: ${reason}. Fix it.`,
    at: "#/components/schemas/Thing",
  };
}

export const cases: Cases = {
  pass: {
    "an example that fits": { document: answering(thing, { size: 1 }) },
    "an example of one branch": { document: answering(union, { kind: "dog", size: "large" }) },
    "an example in a file, of a schema in another": {
      document: operationOf({
        requestBody: contentOf({
          schema: { $ref: "schemas/Tree.yaml" },
          examples: { one: { $ref: "examples/one.yaml" } },
        }),
      }),
      files: {
        "schemas/Tree.yaml": {
          type: "object",
          "x-basis": "proposed",
          properties: { "x-age": { type: "integer" }, parts: { type: "array", items: { $ref: "./Tree.yaml" } } },
        },
        "examples/one.yaml": { value: { parts: [{ "x-age": 1, parts: [] }] } },
      },
    },
    "a stream with other line endings": {
      document: streamed('data: {"size":\r\ndata: 1}\r\n\r\ndata: [DONE]\r\n\r\n'),
    },
    "a stream that fits": { document: streamed('data: {"size": 1}\n\n: still here\n\ndata: [DONE]\n\n') },
    "a time without an offset": { document: answering({ type: "string", format: "date-time" }, "2026-11-04T07:02:00") },
    "an example with a name that is like no other, and one in a map": {
      document: answering(
        { ...thing, properties: { ...thing.properties, names: { type: "object", additionalProperties: {} } } },
        { size: 1, color: "red", names: { siz: 1 } },
      ),
    },
    "a request without what only the service writes, a response without what only callers do": {
      document: operationOf(
        {
          requestBody: contentOf({ schema: users, examples: { one: { value: [{ name: "n", secret: "s" }] } } }),
          responses: { "200": contentOf({ schema: users, examples: { one: { value: [{ name: "n", id: "i" }] } } }) },
        },
        { components: { schemas: user } },
      ),
    },
    "a default that fits": { document: answerOf({ type: "string", default: "UTC", examples: ["UTC"] }) },
  },
  fail: {
    "a request without what only callers write": {
      document: operationOf(
        { requestBody: contentOf({ schema: users, examples: { one: { value: [{ name: "n", id: "i" }] } } }) },
        { components: { schemas: user } },
      ),
      says: misfit('`[0].secret`: "secret" is required.'),
      at: `${operation}/requestBody/content/application~1json/examples/one/value/0/secret`,
    },
    "a misspelled property, also of an open schema": {
      document: answering(
        { type: "object", properties: { things: { type: "array", items: { $ref: "#/components/schemas/Cat" } } } },
        { things: [{ kind: "cat", sise: 1 }] },
      ),
      says: "The example has `sise`, which its schema does not declare.",
      at: `${answer}/examples/one/value/things/0/sise`,
    },
    "a misspelled property of a branch": {
      document: answering(union, { kindd: "dog", size: "large" }),
      says: "The example has `kindd`, which its schema does not declare.",
      at: `${answer}/examples/one/value/kindd`,
    },
    "an example of another type": {
      document: answering(thing, { size: "large" }),
      says: misfit("`size`: This must be a whole number."),
      at: `${answer}/examples/one/value/size`,
    },
    "an example of another branch": {
      document: answering(union, { kind: "cat", size: "large" }),
      says: misfit("`size`: This must be a whole number."),
      at: `${answer}/examples/one/value/size`,
    },
    "an example of no branch": {
      document: answering(union, { kind: "cow", size: 1 }),
      says: misfit('`kind`: No permitted object has this value of "kind". Permitted: "cat", "dog".'),
      at: `${answer}/examples/one/value/kind`,
    },
    "an array in place of a union with a discriminator": {
      document: answering(union, [5]),
      says: misfit("This must be an object."),
      at: `${answer}/examples/one/value`,
    },
    "an example in a file": {
      document: operationOf({
        requestBody: contentOf({ schema: { $ref: "Thing.yaml" }, examples: { one: { $ref: "examples/one.yaml" } } }),
      }),
      files: {
        "Thing.yaml": { ...thing, properties: { size: { minimum: 1 } } },
        "examples/one.yaml": { value: { size: 0 } },
      },
      says: misfit("`size`: This must be at least 1."),
      at: "#/value/size",
      file: "examples/one.yaml",
    },
    "a property whose name begins like our keys": {
      document: answering({ type: "object", properties: { "x-age": { type: "integer" } } }, { "x-age": "old" }),
      says: misfit("`x-age`: This must be a whole number."),
      at: `${answer}/examples/one/value/x-age`,
    },
    "a value of a union": {
      document: answering({ anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }, [1]),
      says: misfit("`[0]`: This must be a string."),
      at: `${answer}/examples/one/value/0`,
    },
    "a format that does not fit": {
      document: answering({ type: "string", format: "date-time" }, "yesterday"),
      says: misfit("This must be an ISO 8601 date and time, such as 2026-01-31T09:30:00Z."),
      at: `${answer}/examples/one/value`,
    },
    "a parameter's example": {
      document: operationOf({
        parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 100 }, example: 101 }],
      }),
      says: misfit("This must be at most 100."),
      at: `${operation}/parameters/0/example`,
    },
    "a header's example": {
      document: operationOf({
        responses: {
          "429": {
            description: "Too many.",
            headers: { "Retry-After": { schema: { type: "integer" }, examples: { soon: { value: "soon" } } } },
          },
        },
      }),
      says: misfit("This must be a whole number."),
      at: `${operation}/responses/429/headers/Retry-After/examples/soon/value`,
    },
    "a schema's default": {
      document: answerOf({ type: "object", properties: { size: { type: "integer", default: "large" } } }),
      says: misfit("This must be a whole number."),
      at: `${answer}/schema/properties/size/default`,
    },
    "a schema's second example": {
      document: answerOf({ enum: ["asc", "desc"], examples: ["asc", "up"] }),
      says: misfit('This must be "asc" or "desc".'),
      at: `${answer}/schema/examples/1`,
    },
    "an event of another type": badStream(
      'data: {"size": 1}\n\ndata: {"size": "large"}\n\ndata: [DONE]\n\n',
      misfit("event 2 of the stream: `size`: This must be a whole number."),
    ),
    "an event that is not JSON": badStream(
      "data: {size}\n\ndata: [DONE]\n\n",
      "Event 1 of the stream is not JSON. Fix it.",
    ),
    "a stream without its end": badStream(
      'data: {"size": 1}\n\n',
      "The stream does not end with `[DONE]`. Add that event.",
    ),
    "a stream without a blank line at its end": badStream(
      'data: {"size": 1}\r\n\r\ndata: [DONE]\r\n',
      "There is no blank line after the last event. Add one (`|+` keeps it).",
    ),
    "a line of another type": badLines(
      '{"size": 1}\n{"size": "large"}\n',
      misfit("line 2: `size`: This must be a whole number."),
    ),
    "a line that is not JSON": badLines("{size}\n", "Line 1 is not JSON. Fix it."),
    "a last line without a line break": badLines(
      '{"size": 1}',
      "There is no line break after the last line. Add one (`|` keeps it).",
    ),
    "an unknown format": uncompiled(
      { type: "string", format: "timezone" },
      'unknown format "timezone" ignored in schema at path "#"',
    ),
    "a misspelled keyword": uncompiled({ type: "string", maxlength: 5 }, 'strict mode: unknown keyword: "maxlength"'),
    "a keyword of the wrong form": uncompiled(
      { type: "string", maxLength: "5" },
      "schema is invalid: data/maxLength must be integer",
    ),
    "an invalid pattern": uncompiled(
      { type: "string", pattern: "(" },
      "Invalid regular expression: /(/u: Unterminated group",
    ),
  },
};
