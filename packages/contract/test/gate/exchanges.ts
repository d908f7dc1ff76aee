import type { Json, JsonObject } from "../../src/json.ts";
import { type Judgment, type Row, between } from "./row.ts";

const text = { type: "string" };
const json = (schema: Json): JsonObject => ({ "application/json": { schema } });
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: "object",
  required,
  properties,
});
const answer = (schema: Json, more: JsonObject = {}): JsonObject => ({
  description: "Done.",
  content: json(schema),
  ...more,
});

/** The operation's other parts stay as they are. */
const answers = (more: JsonObject): JsonObject => ({
  responses: { "200": answer({ $ref: "#/components/schemas/Result" }), ...more },
});
const query = (parameter: JsonObject): JsonObject => ({ parameters: [{ name: "limit", in: "query", ...parameter }] });
const header = (schema: Json): JsonObject =>
  answers({ "200": answer({ $ref: "#/components/schemas/Result" }, { headers: { "x-kind": { schema } } }) });

/** Changes of the only operation, with their verdict. */
const operations: readonly [name: string, before: JsonObject, now: JsonObject, judgment: Judgment, why: string][] = [
  // Parameters
  [
    "an optional query parameter gets another name",
    query({ schema: { type: "integer" } }),
    query({ name: "page_size", schema: { type: "integer" } }),
    "breaking",
    "The old name loses its effect.",
  ],
  [
    "a required cookie is added",
    {},
    { parameters: [{ name: "session", in: "cookie", required: true, schema: text }] },
    "breaking",
    "Calls without it are rejected.",
  ],
  [
    "an optional cookie is added",
    {},
    { parameters: [{ name: "session", in: "cookie", schema: text }] },
    "additive",
    "It is optional.",
  ],
  [
    "a header parameter becomes required",
    query({ in: "header", schema: text }),
    query({ in: "header", required: true, schema: text }),
    "breaking",
    "Calls without it are rejected.",
  ],
  [
    "a header parameter becomes optional",
    query({ in: "header", required: true, schema: text }),
    query({ in: "header", schema: text }),
    "additive",
    "Calls with it are still accepted.",
  ],
  [
    "a list in a query is no longer exploded",
    query({ schema: { type: "array", items: text } }),
    query({ explode: false, schema: { type: "array", items: text } }),
    "breaking",
    "It is written in another form.",
  ],
  [
    "a list in a query gets another delimiter",
    query({ explode: false, schema: { type: "array", items: text } }),
    query({ explode: false, style: "pipeDelimited", schema: { type: "array", items: text } }),
    "breaking",
    "It is written in another form.",
  ],
  [
    "the default of a query parameter changes",
    query({ schema: { type: "integer", default: 20 } }),
    query({ schema: { type: "integer", default: 50 } }),
    "breaking or warning",
    "Callers that leave it out get more.",
  ],
  [
    "the default of a query parameter is written down",
    query({ schema: { type: "integer" } }),
    query({ schema: { type: "integer", default: 20 } }),
    "additive or warning",
    "The service may have had it before.",
  ],
  [
    "a query parameter accepts another type",
    query({ schema: { type: "integer" } }),
    query({ schema: { type: ["integer", "string"] } }),
    "additive",
    "Accepted values stay accepted.",
  ],
  [
    "the JSON of a parameter states its charset",
    query({ content: json(text) }),
    query({ content: { "application/json; charset=utf-8": { schema: text } } }),
    "neutral or warning",
    "The meaning is the same.",
  ],

  // Bodies
  [
    "a body is no longer required",
    { requestBody: { required: true, content: json(text) } },
    { requestBody: { content: json(text) } },
    "additive",
    "Calls with a body are still accepted.",
  ],
  [
    "a media type of the body is removed",
    { requestBody: { content: { ...json(text), "text/plain": { schema: text } } } },
    { requestBody: { content: json(text) } },
    "breaking",
    "It was accepted.",
  ],

  // Responses
  [
    "a response may be a file, too",
    answers({}),
    answers({
      "200": {
        description: "Done.",
        content: { ...json({ $ref: "#/components/schemas/Result" }), "text/csv": { schema: text } },
      },
    }),
    "additive or warning",
    "Callers that ask for the old one get it.",
  ],
  [
    "an error becomes a range of the same body",
    answers({ "404": answer(text) }),
    answers({ "4XX": answer(text) }),
    "warning or breaking or additive",
    "Callers that handle 404 may get another one.",
  ],
  [
    "the body of the default response changes",
    answers({ default: answer(object({ error: text }, ["error"])) }),
    answers({ default: answer(object({ error: object({ code: text }) }, [])) }),
    "breaking",
    "Programs read errors.",
  ],
  [
    "an error for missing rights is added",
    answers({}),
    answers({ "403": answer(text) }),
    "additive or neutral or warning",
    "Clients handle undeclared errors by their status.",
  ],
  [
    "the body of an error loses a property",
    answers({ "404": answer(object({ error_type: text, message: text })) }),
    answers({ "404": answer(object({ message: text })) }),
    "breaking",
    "Programs read it.",
  ],
  [
    "the body of an error gets a property",
    answers({ "404": answer(object({ message: text })) }),
    answers({ "404": answer(object({ message: text, code: text })) }),
    "additive",
    "No program reads it yet.",
  ],
  [
    "the description of a response changes",
    answers({}),
    answers({ "200": { ...answer({ $ref: "#/components/schemas/Result" }), description: "Ready." } }),
    "neutral",
    "Responses stay the same.",
  ],
  [
    "a response header gets an enumeration",
    header(text),
    header({ ...text, enum: ["a"] }),
    "additive or neutral",
    "It has fewer values.",
  ],
  [
    "a response header loses its enumeration",
    header({ ...text, enum: ["a"] }),
    header(text),
    "breaking or warning",
    "It may have other values.",
  ],
  [
    "a response header may be a list of types",
    header(text),
    header({ anyOf: [text] }),
    "neutral or additive",
    "The meaning is the same.",
  ],

  // Requests of the service
  [
    "callers of a callback must return another field",
    callback({}),
    callback({ answer: object({ ok: text }, ["ok"]) }),
    "breaking",
    "Their answers do not have it.",
  ],
  [
    "a callback sends another field",
    callback({}),
    callback({ body: object({ id: text, note: text }, ["note"]) }),
    "additive",
    "Programs ignore it.",
  ],
  ["a callback no longer sends a field", callback({}), callback({ body: object({}) }), "breaking", "Programs read it."],

  // Our own keys
  [
    "a read may no longer be repeated",
    { "x-resend": "always" },
    { "x-resend": "never" },
    "breaking or warning",
    "Calls that failed fail at once.",
  ],
  [
    "a call may no longer be repeated under a condition",
    { "x-resend": { rule: "never", "always-if": { dry: true } } },
    { "x-resend": "never" },
    "breaking or warning",
    "Calls that failed fail at once.",
  ],
  [
    "a call may be repeated under another condition",
    { "x-resend": { rule: "never", "always-if": { dry: true } } },
    { "x-resend": { rule: "never", "always-if": { dry: false } } },
    "breaking or warning",
    "Some calls that failed fail at once.",
  ],
  [
    "an operation gets a second path",
    {},
    { "x-alias-of": "runs.start" },
    "breaking or additive",
    "The path is another name of an operation.",
  ],
];

function callback({
  body = object({ id: text }),
  answer: own = object({ ok: text }),
}: {
  body?: Json;
  answer?: Json;
}): JsonObject {
  const post = { requestBody: { content: json(body) }, responses: { "200": answer(own) } };
  return { callbacks: { done: { "{$request.body#/url}": { post } } } };
}

export const exchanges: readonly Row[] = operations.map(([name, before, now, ...judged]) =>
  between(name, { operation: before }, { operation: now }, ...judged),
);
