/** Answers without an example, in each media type that documents of other people declare. */
import { validatorOf } from "@trainyard/host";
import { expect, it } from "vitest";
import { mockService } from "../src/index.ts";

const thing = { type: "object", required: ["id"], properties: { id: { type: "integer" }, name: { type: "string" } } };
const schema = { $ref: "#/components/schemas/Thing" };
const json = { content: { "application/json": { schema } } };
const answers: Readonly<Record<string, object>> = {
  "/none": { 204: { description: "Done." } },
  "/reset": { 205: { description: "Done.", ...json } },
  "/empty": { 200: { description: "Done." } },
  "/nothing": {},
  "/types": { 200: { content: { "text/csv": { example: "id" }, "application/xml": { schema }, ...json.content } } },
  "/several": { 202: json, 201: json, 404: json },
  "/default": { default: json, 404: json },
  "/charset": { 200: { content: { "Application/JSON; charset=UTF-8": { schema } } } },
  "/vendor": { 200: { content: { "application/vnd.api+json": { schema } } } },
  "/text": { 200: { content: { "text/plain": { schema: { type: "string", enum: ["one"] } } } } },
  "/html": { 200: { content: { "text/html": {} } } },
  "/xml": { 200: { content: { "application/xml": { schema } } } },
  "/bytes": { 200: { content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } } } },
  "/image": { 200: { content: { "image/*": {} } } },
  "/any": { 200: { content: { "*/*": { schema } } } },
  "/anything": { 200: { content: { "*/*": {} } } },
  "/events": { 200: { content: { "text/event-stream": { schema } } } },
  "/event": { 200: { content: { "text/event-stream": { example: { id: 1 } } } } },
  "/stream": { 200: { content: { "text/event-stream": { schema: { type: "string" } } } } },
};
const root = {
  openapi: "3.1.0",
  info: { title: "Media", version: "1.0.0" },
  paths: Object.fromEntries(Object.entries(answers).map(([path, responses]) => [path, { get: { responses } }])),
  components: { schemas: { Thing: thing } },
};
const mock = mockService(root);

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await mock.handle(new Request(`http://mock.invalid${path}`, { headers }));
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
}

it.each([
  ["/none", 204],
  ["/reset", 205],
  ["/empty", 200],
  ["/nothing", 200],
])("answers %s without a body and without a type", async (path, status) => {
  expect(await get(path)).toEqual({ status, type: null, text: "" });
});

it.each([
  ["/several", 201, "application/json"],
  ["/default", 200, "application/json"],
  ["/charset", 200, "Application/JSON; charset=UTF-8"],
  ["/vendor", 200, "application/vnd.api+json"],
  ["/any", 200, "application/json"],
])("answers %s with a body that its schema permits", async (path, status, type) => {
  const answer = await get(path);
  expect(answer).toMatchObject({ status, type });
  expect(validatorOf(root).at("#/components/schemas/Thing", JSON.parse(answer.text))).toEqual([]);
});

it.each([
  ["/text", "text/plain", /^one$/],
  ["/html", "text/html", /./],
  ["/xml", "application/xml", /^<root><id>\d+<\/id>.*<\/root>$/],
  ["/bytes", "application/octet-stream", /./],
  ["/image", "image/png", /./],
  ["/anything", "text/plain", /./],
  ["/events", "text/event-stream", /^data: \{"id":\d+.*\}\n\n$/],
  ["/event", "text/event-stream", /^data: \{"id":1\}\n\n$/],
  ["/stream", "text/event-stream", /^data: .+\n\n$/],
])("answers %s as %s", async (path, type, text) => {
  expect(await get(path)).toEqual({ status: 200, type, text: expect.stringMatching(text) });
});

it.each([
  [undefined, "application/json"],
  ["*/*", "application/json"],
  ["text/csv", "text/csv"],
  ["text/html, Application/XML;q=0.9, */*;q=0.8", "application/xml"],
  ["text/csv;q=0.5, application/xml", "application/xml"],
  ["text/csv;q=0, image/png", "application/json"],
])("answers with the media type that is wanted most: Accept is %s", async (accept, type) => {
  expect(await get("/types", accept === undefined ? {} : { accept })).toMatchObject({ status: 200, type });
});

it("answers with a preferred status", async () => {
  expect((await get("/several", { prefer: "code=202" })).status).toBe(202);
  expect((await get("/default", { prefer: "code=404" })).status).toBe(404);
});

it("sends the examples of headers, apart from those of a message and those that HTTP cannot send", async () => {
  const texts = { "Content-Length": "279", "Content-Encoding": "gzip", "X-Page": "2", "X-Title": "“Two”" };
  const headers = Object.fromEntries(Object.entries(texts).map(([name, example]) => [name, { example }]));
  const paths = { "/page": { get: { responses: { 200: { headers, ...json } } } } };
  const { connect } = mockService({ ...root, paths });
  const response = await connect().fetch(`${connect().baseUrl}/page`);
  expect(await response.json()).toMatchObject({ id: expect.any(Number) });
  const sent = Object.keys(texts).map((name) => response.headers.get(name));
  expect(sent).toEqual([null, null, "2", null]);
});
