/** Bodies of requests, in each media type that documents of other people declare. */
import { readDocument } from "@trainyard/document";
import { expect, it } from "vitest";
import { host } from "../src/index.ts";

const q = { type: "object", required: ["q"], properties: { q: { type: "integer" } } };
const form = {
  ...q,
  additionalProperties: false,
  properties: {
    ...q.properties,
    tags: { type: "array", items: { type: "integer" } },
    joined: { type: "array", items: { type: "integer" } },
    deep: { type: "object", properties: { x: { type: "integer" } } },
    whole: { type: "object", properties: { x: { type: "integer" } } },
  },
};
const uploaded = {
  type: "object",
  required: ["file"],
  properties: {
    file: { type: "string", format: "binary" },
    more: { type: "array", items: { type: "string", format: "binary" } },
    note: { type: "integer" },
    facts: q,
  },
};
const encoding = { joined: { style: "form", explode: false }, deep: { style: "deepObject", explode: true } };
const paths = {
  "/form": post({ "application/x-www-form-urlencoded": { schema: { $ref: "#/components/schemas/Form" }, encoding } }),
  "/upload": post({
    "multipart/form-data": { schema: uploaded, encoding: { file: { contentType: "image/*, text/csv" } } },
  }),
  "/json": post({ "Application/Vnd.Api+JSON; charset=UTF-8": { schema: q } }),
  "/patch": post({
    "application/json-patch+json": { schema: { type: "array", items: q } },
    "application/JSON": { schema: q },
    "application/note+json": {},
  }),
  "/any": post({ "*/*": { schema: q } }),
  "/text": post({ "text/*": {}, "application/xml": {} }),
  "/bytes": post({ "application/octet-stream": {} }),
  "/both": post({ "application/json": { schema: q }, "multipart/form-data": { schema: q } }),
};

function post(content: object) {
  return { post: { requestBody: { content }, responses: {} } };
}

const document = readDocument({
  openapi: "3.1.0",
  info: { title: "Media", version: "1.0.0" },
  paths,
  components: { schemas: { Form: form } },
});
const handlers = Object.fromEntries(
  document.operations.map(({ name }) => [
    name,
    ({ body, bytes }: { body: unknown; bytes: Uint8Array }) => ({ status: 200, body: { body, size: bytes.length } }),
  ]),
);
const served = host({ name: "media", document, handlers, keys: "none" });

async function send(path: string, type: string | undefined, body: BodyInit): Promise<[number, unknown]> {
  const headers = type === undefined ? {} : { "content-type": type };
  const response = await served.fetch(new Request(`http://media.invalid${path}`, { method: "POST", headers, body }));
  return [response.status, await response.json()];
}

const urlencoded = "application/x-www-form-urlencoded";
const bytes = new Uint8Array([1, 2, 255]);

it.each<[string, string | undefined, BodyInit, unknown]>([
  ["/form", urlencoded, "q=1", { q: 1 }],
  ["/form", `${urlencoded}; charset=utf-8`, "q=1&tags=1&tags=2&joined=3,4", { q: 1, tags: [1, 2], joined: [3, 4] }],
  ["/form", urlencoded, "q=1&deep[x]=1&whole=%7B%22x%22%3A1%7D", { q: 1, deep: { x: 1 }, whole: { x: 1 } }],
  ["/json", "application/json", '{"q":1}', { q: 1 }],
  ["/json", "application/vnd.api+json;charset=utf-8", '{"q":1}', { q: 1 }],
  ["/patch", "application/json; charset=utf-8", '{"q":1}', { q: 1 }],
  ["/patch", "application/other+json", '{"q":1}', { q: 1 }],
  ["/patch", "application/json-patch+json", '[{"q":1}]', [{ q: 1 }]],
  ["/patch", "application/note+json", "{}", {}],
  ["/any", "application/json", '{"q":1}', { q: 1 }],
  ["/any", "text/plain", "q", "q"],
  ["/text", "text/csv", "a,b", "a,b"],
  ["/text", "application/xml", "<a/>", "<a/>"],
  ["/bytes", "application/octet-stream", bytes, undefined],
  ["/bytes", undefined, bytes, undefined],
])("reads a body at %s as %s: %s", async (path, type, sent, body) => {
  const size = typeof sent === "string" ? sent.length : bytes.length;
  expect(await send(path, type, sent)).toEqual([200, { ...(body !== undefined && { body }), size }]);
});

it.each([
  ["/form", urlencoded, "", "body.q"],
  ["/form", urlencoded, "q=x&tags=1&tags=b", "body.q body.tags.1"],
  ["/form", urlencoded, "q=1&deep[x]=b&whole=x", "body.deep.x body.whole"],
  ["/form", urlencoded, "q=1&other=2", "body.other"],
  ["/json", "application/json", "{}", "body.q"],
  ["/any", "application/json", "{}", "body.q"],
  ["/patch", "application/json", "[]", "body"],
  ["/patch", "application/json-patch+json", "[{}]", "body.0.q"],
  ["/both", "application/json", "{}", "body.q"],
])("judges a body at %s as %s: %s", async (path, type, body, locs) => {
  const [status, answer] = await send(path, type, body);
  expect([status, locsOf(answer)]).toEqual([422, locs]);
});

/** The places of the faults in an error. */
function locsOf(answer: unknown): string {
  const faults: { loc: unknown[] }[] = Object(answer).detail ?? [];
  return faults.map(({ loc }) => loc.join(".")).join(" ");
}

it.each([
  ["/form", "application/json"],
  ["/text", "application/octet-stream"],
  ["/bytes", "image/png"],
  ["/both", "text/plain"],
])("refuses a body at %s as %s", async (path, type) => {
  expect((await send(path, type, "{}"))[0]).toBe(415);
});

async function upload(fields: Readonly<Record<string, string | Blob>>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const [status, answer] = await send("/upload", undefined, form);
  return { status, body: Object(answer).body, locs: locsOf(answer) };
}

it("judges the fields of a multipart body, and its files by presence and type", async () => {
  const file = new Blob(["a,b"], { type: "text/csv" });
  const facts = new Blob(['{"q":1}'], { type: "application/json" });
  expect(await upload({ file, more: file, note: "1", facts })).toMatchObject({
    status: 200,
    body: { note: 1, facts: { q: 1 }, more: [{}] },
  });
  expect(await upload({ note: "x" })).toMatchObject({ status: 422, locs: "body.file body.note" });
  const pdf = new Blob(["%PDF"], { type: "application/pdf" });
  expect(await upload({ file: pdf })).toMatchObject({ status: 422, locs: "body.file" });
  expect((await send("/upload", "multipart/form-data; boundary=x", "no form"))[0]).toBe(422);
});
