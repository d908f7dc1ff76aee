/** Errors of documents that other people write, most of them without an example. */
import { readDocument } from "@trainyard/document";
import { expect, it } from "vitest";
import { host, validatorOf } from "../src/index.ts";

const text = { type: "string" };
const securitySchemes = {
  header: { type: "apiKey", in: "header", name: "X-Key" },
  query: { type: "apiKey", in: "query", name: "key" },
  cookie: { type: "apiKey", in: "cookie", name: "session" },
  basic: { type: "http", scheme: "basic" },
  bearer: { type: "http", scheme: "bearer" },
  digest: { type: "http", scheme: "digest" },
};

/** The error of a request that lacks its parameter, or its key, where `schema` describes the errors. */
async function errorOf(schema: object | undefined, security: object[] = [], mediaType = "application/json") {
  const error = { description: "It is wrong.", ...(schema && { content: { [mediaType]: { schema } } }) };
  const parameters = [{ name: "q", in: "query", required: true, schema: text }];
  const get = { parameters, security, responses: { 200: {}, 400: error, 401: error } };
  const root = { openapi: "3.1.0", paths: { "/a": { get } }, components: { securitySchemes } };
  const served = host({ name: "strange", document: readDocument(root) }, { unhandled: () => undefined });
  const response = await served.fetch(new Request("http://strange.invalid/a"));
  const type = response.headers.get("content-type");
  const sent = await response.text();
  const body: unknown = type === "application/json" ? JSON.parse(sent) : sent;
  const pointer = "#/paths/~1a/get/responses/400/content/application~1json/schema";
  const faults = schema !== undefined && type === "application/json" ? validatorOf(root).at(pointer, body) : [];
  return { status: response.status, type, body, faults };
}

const missing = '"q" is required.';

it.each<[string, object | undefined, unknown]>([
  ["nothing", undefined, { detail: missing }],
  ["anything", {}, { detail: missing }],
  ["a message", { properties: { message: text } }, { message: missing }],
  [
    "a message of another name",
    { properties: { errorMessage: text, id: { const: 3 } } },
    { errorMessage: missing, id: 3 },
  ],
  [
    "a message in a list",
    { required: ["errors"], properties: { errors: { type: "array", items: { properties: { message: text } } } } },
    { errors: [{ message: missing }] },
  ],
  [
    "a message beside a code of its own",
    { properties: { code: { enum: ["E_1"] }, message: text } },
    { code: "E_1", message: missing },
  ],
  ["a message beside a number", { properties: { code: { const: 7 }, message: text } }, { code: 7, message: missing }],
  ["the name of an error", { properties: { error: text } }, { error: missing }],
  ["one of a few messages", { properties: { message: { enum: ["No."] } } }, { message: "No." }],
  ["no place for a message", { properties: { id: { const: 3 } } }, { id: 3 }],
])("writes errors of which the schema says %s", async (_, schema, body) => {
  expect(await errorOf(schema)).toEqual({ status: 400, type: "application/json", body, faults: [] });
});

it("writes errors that are text as such", async () => {
  expect(await errorOf(text, [], "text/plain")).toMatchObject({ status: 400, type: "text/plain", body: missing });
});

it.each<[object[], string]>([
  [[{ bearer: [] }], "Send a key as `Authorization: Bearer <key>`."],
  [
    [{ header: [] }, { query: [], cookie: [] }],
    "Send a key in the header `X-Key`, or as `key=<key>` in the query and in the cookie `session`.",
  ],
  [[{ basic: [] }], "Send a key as `Authorization: Basic <user and password>`."],
  [[{ digest: [] }], "Send a key as the scheme `digest` says, which is not supported here."],
])("says how the keys of %j are sent", async (security, message) => {
  expect(await errorOf({ properties: { message: text } }, security)).toMatchObject({ status: 401, body: { message } });
});
