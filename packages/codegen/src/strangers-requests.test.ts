import { expect, it } from "vitest";
import { compile, connected, described, documentOf, thing, written, type Received } from "../test/strange.ts";

it("sends QUERY and other methods, with their bodies", async () => {
  const requestBody = { required: true, content: { "application/json": thing } };
  const ok = { requestBody, responses: { 200: described({ "application/json": thing }) } };
  const document = documentOf({ "a.find QUERY /a": ok });
  const COPY = { ...ok, operationId: "copy", "x-client-method": "a.copy" };
  const item = { ...document.paths["/a"], COPY };
  const folder = await written({ ...document, paths: { "/a": item } });
  const seen: string[] = [];
  const { client } = await connected(folder, async (request, response) => {
    seen.push(`${request.method} ${request.body.toString()}`);
    response.writeHead(200, { "content-type": "application/json" }).end('{"n":1}');
  });
  expect([await client["a"]?.["find"]?.({ n: 2 }), await client["a"]?.["copy"]?.({ n: 3 })]).toEqual([
    { n: 1 },
    { n: 1 },
  ]);
  expect(seen).toEqual(['QUERY {"n":2}', 'COPY {"n":3}']);
  const program = `
import { createStrangeClient } from "./client.ts";
const { a } = createStrangeClient({ baseUrl: "http://127.0.0.1" });
console.log((await a.find({ n: 1 })).n, (await a.copy({ n: 1 })).n);
`;
  expect(await compile(folder, program)).toEqual([]);
});

it("sends headers, cookies and the styles of queries as they are declared", async () => {
  const ok = { responses: { 204: described() } };
  const text = { type: "string" };
  const list = { type: "array", items: { type: "integer" } };
  const object = { type: "object", properties: { x: { type: "integer" } } };
  const query = (name: string, schema: object, keys = {}) => ({ in: "query", name, schema, ...keys });
  const folder = await written(
    documentOf({
      "a.headers GET /headers": {
        ...ok,
        parameters: [
          query("page", text),
          { in: "header", name: "X-Version", required: true, schema: { enum: ["1", "2"] } },
          { in: "header", name: "X-Note", schema: text },
          { in: "header", name: "Accept", required: true, schema: text },
        ],
      },
      "a.cookies GET /cookies": {
        ...ok,
        parameters: [{ in: "cookie", name: "crumb", required: true, schema: text }],
      },
      "a.notes GET /notes": {
        ...ok,
        parameters: [
          { in: "header", name: "X-Note", schema: text },
          { in: "cookie", name: "crumb", schema: text },
        ],
      },
      "a.paths GET /paths/{ids}/{either}": {
        ...ok,
        parameters: [
          { in: "path", name: "ids", required: true, schema: list },
          {
            in: "path",
            name: "either",
            required: true,
            schema: { oneOf: [{ type: "integer" }, { type: "array", items: text }] },
          },
        ],
      },
      "a.path GET /path/{id}": {
        ...ok,
        parameters: [{ in: "path", name: "id", required: true, schema: { anyOf: [{ type: "integer" }, text] } }],
      },
      "a.query GET /query": {
        ...ok,
        parameters: [
          query("include[]", { type: "array", items: text }),
          query("f", object, { style: "deepObject", explode: true }),
          query("o", { type: "object", properties: { y: text } }),
          query("all", { allOf: [object] }),
          query("w", object, { explode: false }),
          query("ids", list, { explode: false }),
          query("s", list, { style: "spaceDelimited", explode: false }),
          query("p", list, { style: "pipeDelimited", explode: false, required: true }),
          { in: "query", name: "j", content: { "application/json": { schema: object } } },
        ],
      },
    }),
  );
  const seen: Received[] = [];
  const { client, http } = await connected(folder, (received, response) => {
    seen.push(received);
    response.writeHead(204).end();
  });
  const a = client["a"] ?? {};
  await a["headers"]?.({ headers: { "X-Version": "2" }, query: { page: "3" } });
  expect(seen.at(-1)).toMatchObject({
    url: "/headers?page=3",
    headers: { "x-version": "2", accept: "application/json" },
  });
  await http["GET"]?.("/headers", { params: { header: { "X-Version": "1" } } });
  expect(seen.at(-1)?.headers).toMatchObject({ "x-version": "1" });
  await a["cookies"]?.({ cookies: { crumb: "a b" } });
  expect(seen.at(-1)?.headers.cookie).toBe("crumb=a%20b");
  await a["query"]?.({
    "include[]": ["a", "b"],
    f: { x: 1 },
    o: { y: "z" },
    all: { x: 2 },
    w: { x: 1 },
    ids: [1, 2],
    s: [1, 2],
    p: [1, 2],
    j: { x: 1 },
  });
  expect(seen.at(-1)?.url).toBe(
    "/query?include%5B%5D=a&include%5B%5D=b&f%5Bx%5D=1&y=z&x=2&w=x,1&ids=1,2&s=1%202&p=1%7C2&j=%7B%22x%22%3A1%7D",
  );
  for (const [either, text] of [
    [["a", "b,c"], "a,b%2Cc"],
    [3, "3"],
  ] as const) {
    await a["paths"]?.({ ids: [1, 2], either });
    expect(seen.at(-1)?.url).toBe(`/paths/1,2/${text}`);
    await http["GET"]?.("/paths/{ids}/{either}", { params: { path: { ids: [1, 2], either } } });
    expect(seen.at(-1)?.url).toBe(`/paths/1,2/${text}`);
  }
  await expect(a["paths"]?.({ ids: [], either: 1 })).rejects.toThrow('the path parameter ids is ""');
  await expect(a["query"]?.({ p: [], f: { x: { y: 1 } } })).rejects.toThrow("f[x] cannot be an object");

  const program = `
import { createStrangeClient } from "./client.ts";
const { a } = createStrangeClient({ baseUrl: "http://127.0.0.1" });
await a.headers({ headers: { "X-Version": "2", "X-Other": "free" } });
await a.cookies({ cookies: { crumb: "c" } });
await a.notes({ headers: undefined, cookies: undefined });
await a.query({ p: [1], f: { x: 1 } });
await a.paths({ ids: [1], either: ["a"] });
await a.path(1);
await a.path("a");
// @ts-expect-error
await a.path(["a"]);
// @ts-expect-error
await a.paths({ ids: "1,2", either: 1 });
// @ts-expect-error
await a.headers();
// @ts-expect-error
await a.headers({ headers: { "X-Version": "3" } });
// @ts-expect-error
await a.cookies({});
`;
  expect(await compile(folder, program)).toEqual([]);
});

it("sends the bodies that are not JSON, and the type that a call asks for", async () => {
  const ok = { responses: { 204: described() } };
  const bodyOf = (content: object) => ({ ...ok, requestBody: { required: true, content } });
  const form = {
    schema: {
      type: "object",
      required: ["q"],
      properties: { q: { type: "string" }, ids: { type: "array", items: { type: "integer" } }, o: { type: "object" } },
    },
    encoding: { o: { style: "deepObject", explode: true } },
  };
  const file = {
    schema: {
      type: "object",
      required: ["file"],
      properties: { file: { type: "string", format: "binary" }, icon: { type: "string" }, meta: { type: "object" } },
    },
    encoding: { icon: { contentType: "image/png" } },
  };
  const folder = await written(
    documentOf({
      "a.form POST /form": bodyOf({ "application/x-www-form-urlencoded": form }),
      "a.upload POST /upload": bodyOf({ "multipart/form-data": file }),
      "a.text POST /text": bodyOf({ "text/plain": { schema: { type: "string" } } }),
      "a.bytes PUT /bytes": bodyOf({ "application/octet-stream": {} }),
      "a.patch PATCH /patch": bodyOf({ "application/merge-patch+json": thing }),
      "a.change PATCH /change": bodyOf({
        "application/json-patch+json": { schema: { type: "array", items: { type: "object" } } },
        "application/json; charset=utf-8": thing,
        "application/*+json": thing,
      }),
      "a.several POST /several": {
        ...bodyOf({ "multipart/form-data": file, "application/json": thing }),
        parameters: [{ in: "query", name: "dry", schema: { type: "boolean" } }],
      },
    }),
  );
  const seen: Received[] = [];
  const { client, http } = await connected(folder, (received, response) => {
    seen.push(received);
    response.writeHead(204).end();
  });
  const last = () => ({ type: seen.at(-1)?.headers["content-type"], body: seen.at(-1)?.body.toString() });
  const a = client["a"] ?? {};
  await a["form"]?.({ q: "a b", ids: [1, 2], o: { x: 1 } });
  expect(last()).toEqual({ type: "application/x-www-form-urlencoded", body: "q=a+b&ids=1&ids=2&o%5Bx%5D=1" });
  const png = new File([new Uint8Array([137, 80])], "icon.png", { type: "image/png" });
  await a["upload"]?.({ file: new Blob(["bytes"]), icon: png, meta: { x: 1 } });
  const sent = await new Response(seen.at(-1)?.body as BodyInit, {
    headers: { "content-type": last().type ?? "" },
  }).formData();
  expect(await (sent.get("file") as File).text()).toBe("bytes");
  expect(sent.get("icon")).toMatchObject({ name: "icon.png", type: "image/png", size: 2 });
  expect(sent.get("meta")).toMatchObject({ type: "application/json", size: 7 });
  await a["text"]?.("plain");
  expect(last()).toEqual({ type: "text/plain", body: "plain" });
  for (const bytes of [
    "bytes",
    new Blob(["bytes"]),
    new TextEncoder().encode("bytes").buffer,
    new Blob(["bytes"]).stream(),
  ]) {
    await a["bytes"]?.(bytes);
    expect(last()).toEqual({ type: "application/octet-stream", body: "bytes" });
  }
  await a["patch"]?.({ n: 1 });
  expect(last()).toEqual({ type: "application/merge-patch+json", body: '{"n":1}' });
  await a["change"]?.([], { contentType: "application/json-patch+json" });
  expect(last()).toEqual({ type: "application/json-patch+json", body: "[]" });
  await a["several"]?.({ n: 1 });
  expect(last()).toEqual({ type: "application/json", body: '{"n":1}' });
  await a["several"]?.({ file: new Blob(["x"]) }, { contentType: "multipart/form-data", query: { dry: true } });
  expect(last().type).toMatch(/^multipart/);
  expect(seen.at(-1)?.url).toBe("/several?dry=true");
  await expect(a["several"]?.({}, { contentType: "text/csv" })).rejects.toThrow("multipart/form-data");
  const uploaded = new FormData();
  uploaded.append("file", png);
  await http["POST"]?.("/upload", { body: uploaded });
  expect(last().type).toMatch(/^multipart/);
  expect(seen.at(-1)?.body.includes(Buffer.from([137, 80]))).toBe(true);

  const program = `
import { createStrangeClient } from "./client.ts";
const { a } = createStrangeClient({ baseUrl: "http://127.0.0.1" });
await a.form({ q: "q", ids: [1] });
await a.upload({ file: new Blob(["x"]), icon: new Blob([]) });
await a.bytes(new ReadableStream());
await a.change([{}], { contentType: "application/json-patch+json" });
// @ts-expect-error
await a.change({ n: 1 }, { contentType: "application/json-patch+json" });
await a.several({ n: 1 });
await a.several({ file: new Blob([]) }, { contentType: "multipart/form-data" });
// @ts-expect-error
await a.several({ n: 1 }, { contentType: "multipart/form-data" });
// @ts-expect-error
await a.upload({ file: "x" });
`;
  expect(await compile(folder, program)).toEqual([]);
});

it("sends a stream once, whatever the operation says", async () => {
  const body = { requestBody: { content: { "application/octet-stream": {} } }, "x-resend": "always" };
  const folder = await written(documentOf({ "a.put PUT /a": { ...body, responses: { 204: described() } } }));
  let calls = 0;
  const { client } = await connected(folder, (_, response) => {
    calls++;
    response.writeHead(503).end();
  });
  const stream = new Blob(["bytes"]).stream();
  await expect(client["a"]?.["put"]?.(stream, { maxRetries: 2 })).rejects.toMatchObject({ status: 503 });
  expect(calls).toBe(1);
});
