import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { explainFacts } from "@trainyard/document";
import { expect, it, onTestFinished } from "vitest";
import { clientSource, httpSource } from "./client-writer.ts";
import type { OpenApiDocument, Schema } from "./document.ts";
import { judge } from "./read-service.ts";
import { schemaTypes } from "./schema-types.ts";
import { typeTestSource } from "./type-test-writer.ts";
import { validatorsModule } from "./validators.ts";

const cache = join(import.meta.dirname, "../.cache");
const workspace = join(import.meta.dirname, "../../..");
const core = join(workspace, "packages/core/src");

/** An operation of a test: its method and path, and its keys beside the name. */
type Strange = Readonly<Record<string, object>>;

/** A document of operations: `{ "things.get GET /things/{id}": { responses } }`. */
function documentOf(operations: Strange, schemas: Record<string, Schema> = {}): OpenApiDocument {
  const paths: Record<string, object> = {};
  for (const [line, operation] of Object.entries(operations)) {
    const [name = "", method = "", path = ""] = line.split(" ");
    const named = { operationId: name, "x-client-method": name, "x-resend": "never", ...operation };
    paths[path] = { ...paths[path], [method.toLowerCase()]: named };
  }
  return { openapi: "3.1.0", info: { title: "Strange", version: "1" }, paths, components: { schemas } };
}

/** The types, the client and its type tests in a folder of their own. */
async function written(document: OpenApiDocument): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "strange-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { service, faults } = judge("strange", document);
  expect(faults).toEqual([]);
  writeFileSync(join(folder, "schema.ts"), await schemaTypes(service.document, service.operations));
  writeFileSync(join(folder, "client.ts"), clientSource(service));
  writeFileSync(join(folder, "http.ts"), httpSource(service));
  writeFileSync(join(folder, "client.test-d.ts"), typeTestSource(service));
  await validatorsModule(service.document);
  return folder;
}

/** The compiler errors of a client and a program beside it. */
async function compile(folder: string, program: string): Promise<string[]> {
  writeFileSync(join(folder, "program.ts"), program);
  const compilerOptions = {
    noEmit: true,
    allowImportingTsExtensions: true,
    paths: { "@trainyard/core": [join(core, "index.ts")], "@trainyard/core/http": [join(core, "http.ts")] },
  };
  const settings = { extends: join(workspace, "tsconfig.base.json"), compilerOptions, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const tsc = join(workspace, "node_modules/typescript/bin/tsc");
  try {
    await promisify(execFile)(process.execPath, [tsc, "-p", folder, "--pretty", "false"], { cwd: folder });
    return [];
  } catch (error) {
    return String(Object(error).stdout)
      .split("\n")
      .filter((line) => /^[a-z]/.test(line));
  }
}

type Method = (...given: unknown[]) => Promise<unknown> & { withResponse(): Promise<{ response: Response }> };

/** A request as the server received it. */
interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** Clients of a real server, methods and by path. */
async function connected(
  folder: string,
  answer: (received: Received, response: ServerResponse) => void,
  keys: object = {},
): Promise<{
  client: Record<string, Record<string, Method>>;
  http: Record<string, (path: string, options?: object) => Promise<{ data?: unknown; response: Response }>>;
}> {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { method = "", url = "", headers } = request;
    answer({ method, url, headers, body: Buffer.concat(pieces) }, response);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const options = { baseUrl: `http://127.0.0.1:${Object(server.address()).port}`, maxRetries: 0, ...keys };
  const { createStrangeClient } = await import(join(folder, "client.ts"));
  const { createStrangeHttp } = await import(join(folder, "http.ts"));
  return { client: createStrangeClient(options), http: createStrangeHttp(options) };
}

const described = (content?: object) => ({ description: "", ...(content && { content }) });
const thing = { schema: { type: "object", required: ["n"], properties: { n: { type: "number" } } } };

it("names the methods of a document without our keys, in groups and beside them", async () => {
  const query = [{ in: "query", name: "page", schema: { type: "integer" } }];
  const id = { in: "path", name: "id", required: true, schema: { type: "string" } };
  const ok = { responses: { 200: described({ "application/json": thing }) } };
  const folder = await written({
    openapi: "3.1.0",
    info: { title: "Strange", version: "1" },
    paths: {
      "/users": { get: { ...ok, parameters: query, operationId: "list_users" }, post: { ...ok, operationId: "same" } },
      "/users/{id}/keys": {
        get: { ...ok, parameters: [id, ...query] },
        put: { ...ok, parameters: [id], operationId: "same" },
      },
      "/then": { delete: { ...ok, operationId: "then", tags: ["API Keys"] } },
    },
  });
  const seen: string[] = [];
  const { client } = await connected(folder, ({ method, url }, response) => {
    seen.push(`${method} ${url}`);
    response.writeHead(method === "POST" ? 500 : 200, { "content-type": "application/json" }).end('{"n":1}');
  });
  const program = `
import { createStrangeClient } from "./client.ts";
const client = createStrangeClient({ baseUrl: "http://127.0.0.1" });
const all: number[] = [
  (await client.listUsers({ query: { page: 1 } })).n,
  (await client.users.getByIdKeys("a", { query: { page: 1 } })).n,
  (await client.users.putByIdKeys("a")).n,
  (await client.users.post()).n,
  (await client.apiKeys.deleteThen()).n,
];
console.log(all);
`;
  expect(await compile(folder, program)).toEqual([]);
  const { listUsers } = Object(client);
  expect([await listUsers(), await client["users"]?.["putByIdKeys"]?.("a")]).toEqual([{ n: 1 }, { n: 1 }]);
  expect(seen).toEqual(["GET /users", "PUT /users/a/keys"]);
});

it("gives types other names, where a component's is no identifier or that of another type", async () => {
  const kind = (name: string) => ({
    type: "object",
    required: ["kind"],
    properties: { kind: { const: name }, of: { $ref: "#/components/schemas/api-error/properties/code" } },
  });
  const either = ["the-cat", "Record"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const document = documentOf(
    {
      "pets.get GET /pets": {
        parameters: [{ in: "query", name: "all", schema: { $ref: "#/components/schemas/user" } }],
        responses: {
          200: described({ "application/json": { schema: { $ref: "#/components/schemas/Either" } } }),
          default: described({ "application/json": { schema: { $ref: "#/components/schemas/api-error" } } }),
        },
      },
      "notFound.limited PUT /limited": { responses: { 404: described() } },
    },
    {
      "the-cat": kind("the-cat"),
      Record: kind("Record"),
      Either: { oneOf: either, discriminator: { propertyName: "kind" } },
      "api-error": { type: "object", properties: { code: { type: "integer" } } },
      ...Object.fromEntries(
        ["user", "ApiError", "PetsMethods", "PetsGetQuery", "StrangeClient", "operations", "constructor", "S"].map(
          (name) => [name, { type: "string" }],
        ),
      ),
    },
  );
  const { service, renamed, derived } = judge("strange", document);
  const line = /^RecordSchema +#\/components\/schemas\/Record +type of the schema Record, which has the name of a type/;
  expect(explainFacts(derived)).toContainEqual(expect.stringMatching(line));
  expect(Object.fromEntries([...renamed].map(([component, { name }]) => [component, name]))).toEqual({
    ApiError: "ApiErrorSchema",
    PetsGetQuery: "PetsGetQuerySchema",
    PetsMethods: "PetsMethodsSchema",
    Record: "RecordSchema",
    S: "SSchema",
    StrangeClient: "StrangeClientSchema",
    "api-error": "ApiErrorSchema2",
    constructor: "ConstructorSchema",
    operations: "OperationsSchema",
    "the-cat": "TheCatSchema",
  });
  expect(Object(service.document.components?.schemas?.["Either"]).discriminator.mapping).toEqual({
    "the-cat": "#/components/schemas/TheCatSchema",
    Record: "#/components/schemas/RecordSchema",
  });
  const folder = await written(document);
  const program = `
import { createStrangeClient } from "./client.ts";
import type { ApiErrorSchema, ApiErrorSchema2, RecordSchema, TheCatSchema, user } from "./schema.ts";
const { pets, notFound } = createStrangeClient({ baseUrl: "http://127.0.0.1" });
const all: user = "all";
const either: RecordSchema | TheCatSchema = await pets.get({ query: { all } });
const code: ApiErrorSchema2["code"] = either.kind === "Record" ? either.of : 1;
const text: ApiErrorSchema = "";
const arrived: unknown = await notFound.limited();
console.log(code, text, arrived);
`;
  expect(await compile(folder, program)).toEqual([]);
  const judged = await validatorsModule(service.document);
  expect(judged.types).toContain("export declare const isTheCatSchema: Validator<schema.TheCatSchema>;");
});

it("sends the credentials of every scheme, whose options have its name in camel case", async () => {
  const schemes = {
    "Session-Key": { type: "apiKey", in: "cookie", name: "sid" },
    api_key: { type: "apiKey", in: "query", name: "key" },
    OAuth: { type: "oauth2", flows: {} },
    "open id": { type: "openIdConnect", openIdConnectUrl: "https://id.invalid" },
  };
  const ok = { responses: { 204: described() } };
  const cookie = { parameters: [{ in: "cookie", name: "crumb", schema: { type: "string" } }] };
  const document = documentOf({
    "a.session GET /session": { ...ok, ...cookie, security: [{ "Session-Key": [], api_key: [] }] },
    "a.token GET /token": { ...ok, security: [{ OAuth: [] }] },
    "a.id GET /id": { ...ok, security: [{ "open id": [] }] },
  });
  const folder = await written({ ...document, components: { ...document.components, securitySchemes: schemes } });
  const seen: Received[] = [];
  const options = { sessionKey: "s", apiKey: "k", oAuth: async () => "token", openId: "id" };
  const { client } = await connected(
    folder,
    (received, response) => {
      seen.push(received);
      response.writeHead(204).end();
    },
    options,
  );
  await client["a"]?.["session"]?.({ cookies: { crumb: 1 } });
  await client["a"]?.["token"]?.();
  await client["a"]?.["id"]?.();
  expect(seen.map(({ url, headers: { cookie: sent, authorization } }) => [url, sent ?? authorization])).toEqual([
    ["/session?key=k", "crumb=1; sid=s"],
    ["/token", "Bearer token"],
    ["/id", "Bearer id"],
  ]);
  const program = `
import { createStrangeClient } from "./client.ts";
createStrangeClient({ sessionKey: "s", apiKey: "k", oAuth: async () => "token", openId: () => "id" });
`;
  expect(await compile(folder, program)).toEqual([]);
});

it("reads the answers of success that are not JSON alone, by kind and status", async () => {
  const binary = { schema: { type: "string", format: "binary" } };
  const folder = await written(
    documentOf({
      "a.delete DELETE /deleted": { responses: { 204: described() } },
      "a.touch PUT /touched": { responses: { 200: described() } },
      "a.charset GET /charset": { responses: { 200: described({ "Application/JSON; charset=utf-8": thing }) } },
      "a.vendor GET /vendor": { responses: { 200: described({ "application/vnd.api+json": thing }) } },
      "a.several POST /several": {
        responses: {
          200: described({ "application/json": thing }),
          201: described({ "application/json": { schema: { type: "string" } } }),
          202: described(),
        },
      },
      "a.fallback GET /fallback": { responses: { default: described({ "application/json": thing }) } },
      "a.xml GET /xml": { responses: { 200: described({ "application/atom+xml": { schema: { type: "object" } } }) } },
      "a.bytes GET /bytes": { responses: { "2XX": described({ "image/png": binary }) } },
      "a.any GET /any": { responses: { 200: described({ "*/*": thing }) } },
      "a.events GET /events": { responses: { 200: described({ "text/event-stream": {} }) } },
    }),
  );
  const { client, http } = await connected(folder, ({ url, headers }, response) => {
    const [path, query] = url.split("?");
    const answers: Record<string, [status: number, type: string, body: string | Buffer]> = {
      "/deleted": [204, "", ""],
      "/touched": [200, "text/plain", "OK"],
      "/charset": [200, "application/json; charset=utf-8", '{"n":1}'],
      "/vendor": [200, "application/vnd.api+json", `{"n":"${headers.accept}"}`],
      "/several": [
        Number(headers["x-status"]),
        "application/json",
        headers["x-status"] === "201" ? '"made"' : '{"n":2}',
      ],
      "/fallback": [Number(headers["x-status"] ?? 200), "application/json", '{"n":3}'],
      "/xml": [200, "application/atom+xml", "<feed/>"],
      "/bytes": [200, "image/png", Buffer.from([0, 255, 128])],
      "/any": [200, String(headers["x-type"]), '{"n":4}'],
      "/events": [200, "text/event-stream", "event: news\ndata: 1\n\ndata: 2\n\n"],
    };
    const [status, type, body] = answers[path ?? ""] ?? [404, "", query ?? ""];
    response
      .writeHead(status, type ? { "content-type": type, "content-length": Buffer.byteLength(body) } : {})
      .end(body);
  });
  const a = client["a"] ?? {};
  const status = (code: number) => ({ headers: { "x-status": String(code) } });

  expect(await a["delete"]?.()).toBeUndefined();
  expect(await a["touch"]?.()).toBeUndefined();
  expect(await a["charset"]?.()).toEqual({ n: 1 });
  expect(await a["vendor"]?.()).toEqual({ n: "application/vnd.api+json, application/json" });
  expect(await a["several"]?.(status(200))).toEqual({ n: 2 });
  expect(await a["several"]?.(status(201)).withResponse()).toMatchObject({ data: "made", response: { status: 201 } });
  expect(await a["several"]?.(status(202))).toBeUndefined();
  expect(await a["fallback"]?.()).toEqual({ n: 3 });
  await expect(a["fallback"]?.(status(418))).rejects.toMatchObject({ status: 418 });
  expect(await a["xml"]?.()).toBe("<feed/>");
  const blob = await a["bytes"]?.();
  expect(blob).toMatchObject({ type: "image/png", size: 3 });
  const stream = await a["bytes"]?.({ as: "stream" });
  expect(Buffer.from(await new Response(stream as ReadableStream).arrayBuffer())).toEqual(Buffer.from([0, 255, 128]));
  const typed = (type: string) => ({ headers: { "x-type": type } });
  expect(await a["any"]?.(typed("application/hal+json"))).toEqual({ n: 4 });
  expect(await a["any"]?.(typed("text/html"))).toBe('{"n":4}');
  expect(await a["any"]?.(typed("application/pdf"))).toMatchObject({ size: 7, type: "application/pdf" });
  const events = [];
  const source = await a["events"]?.();
  for await (const event of source as AsyncIterable<object>) events.push(event);
  expect(events).toEqual([
    { type: "news", data: "1" },
    { type: "", data: "2" },
  ]);

  expect(await http["DELETE"]?.("/deleted")).toMatchObject({ data: undefined, response: { status: 204 } });
  expect((await http["PUT"]?.("/touched"))?.data).toBeUndefined();
  expect((await http["GET"]?.("/vendor"))?.data).toMatchObject({ n: expect.stringContaining("vnd.api") });
  expect((await http["GET"]?.("/bytes", { parseAs: "blob" }))?.data).toMatchObject({ size: 3 });
  expect((await http["GET"]?.("/events", { parseAs: "stream" }))?.data).toBeInstanceOf(ReadableStream);
  expect((await http["POST"]?.("/several", { headers: { "x-status": "200" } }))?.data).toEqual({ n: 2 });

  const program = `
import { createStrangeClient } from "./client.ts";
const { a } = createStrangeClient({ baseUrl: "http://127.0.0.1" });
const nothing: void = await a.delete();
const several: { n: number } | string | undefined = await a.several();
const fallback: number = (await a.fallback()).n;
const xml: string = await a.xml();
const blob: Blob = await a.bytes();
const stream: ReadableStream<Uint8Array> = await a.bytes({ as: "stream" });
for await (const { data, type } of await a.events()) console.log(data.length, type.length);
console.log(nothing, several, fallback, xml, blob, stream, await a.any());
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
      "a.query GET /query": {
        ...ok,
        parameters: [
          query("include[]", { type: "array", items: text }),
          query("f", object, { style: "deepObject", explode: true }),
          query("o", { type: "object", properties: { y: text } }),
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
    ids: [1, 2],
    s: [1, 2],
    p: [1, 2],
    j: { x: 1 },
  });
  expect(seen.at(-1)?.url).toBe(
    "/query?include%5B%5D=a&include%5B%5D=b&f%5Bx%5D=1&y=z&ids=1,2&s=1%202&p=1%7C2&j=%7B%22x%22%3A1%7D",
  );
  await expect(a["query"]?.({ p: [], f: { x: { y: 1 } } })).rejects.toThrow("f[x] cannot be an object");

  const program = `
import { createStrangeClient } from "./client.ts";
const { a } = createStrangeClient({ baseUrl: "http://127.0.0.1" });
await a.headers({ headers: { "X-Version": "2", "X-Other": "free" } });
await a.cookies({ cookies: { crumb: "c" } });
await a.notes({ headers: undefined, cookies: undefined });
await a.query({ p: [1], f: { x: 1 } });
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

it("writes types that compile for schemas that are unlike ours", async () => {
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const kind = (value: string) => ({
    type: "object",
    properties: { kind: { type: "string" }, [value]: { type: "number" } },
  });
  const answer = (name: string) => described({ "application/json": { schema: reference(name) } });
  const folder = await written(
    documentOf(
      {
        "a.get GET /a": { responses: { 200: answer("All") } },
        "a.make POST /a": {
          requestBody: { content: { "application/json": { schema: reference("Sent") } } },
          responses: { 204: described() },
        },
      },
      {
        Base: { type: "object", properties: { id: { type: "string" }, n: { type: "number" } } },
        All: {
          type: "object",
          properties: {
            b: false as unknown as Schema,
            kinds: reference("Kinds"),
            derived: { allOf: [reference("Base")], required: ["id"] },
          },
        },
        Cat: kind("cat"),
        Dog: kind("dog"),
        Kinds: { oneOf: [reference("Cat"), reference("Dog")], discriminator: { propertyName: "kind" } },
        Sent: {
          type: "object",
          properties: {
            listed: { type: "array", enum: [["a"], ["b"]] },
            either: { type: "array", items: { type: "string" }, oneOf: [{ maxItems: 1 }, { minItems: 3 }] },
            pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], minItems: 2, maxItems: 2 },
            bounded: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 2 },
            nullable: { type: ["array", "null"], items: { type: "string" } },
          },
        },
      },
    ),
  );
  const program = `
import { createStrangeClient } from "./client.ts";
const { a } = createStrangeClient({ baseUrl: "http://127.0.0.1" });
const { b, kinds, derived } = await a.get();
const never: undefined = b;
const id: string | undefined = derived?.id;
console.log(never, id, kinds);
await a.make({ either: ["x"] as const, bounded: ["x"] });
`;
  expect(await compile(folder, program)).toEqual([]);
});
