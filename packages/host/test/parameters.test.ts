/** Documents that other people write: parameters and paths of forms that ours do not have. */
import { joinLists, pickClient, type Op } from "@trainyard/core";
import { createHttp } from "@trainyard/core/http";
import { joinedLists, readDocument, unsupportedIn } from "@trainyard/document";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { host } from "../src/index.ts";

const integers = { type: "array", items: { $ref: "#/components/schemas/Integer" } };
const tagged = (kind: string) => ({
  type: "object",
  required: ["kind"],
  properties: { kind: { const: kind }, x: { type: "integer" } },
});
const filter = {
  type: "object",
  properties: { x: { type: "integer" }, tags: { type: "array", items: { type: "integer" } } },
};
const paths = {
  "/c": query("f", { $ref: "#/components/schemas/Filter" }, { style: "deepObject", explode: true }),
  "/h": query("ids", integers, { style: "spaceDelimited" }),
  "/i": query("ids", integers, { style: "pipeDelimited", explode: false }),
  "/j": query("f", filter),
  "/k": query("f", filter, { explode: false }),
  "/l": {
    get: {
      parameters: [
        { name: "f", in: "query", required: true, content: { "application/json": { schema: { allOf: [filter] } } } },
      ],
      responses: {},
    },
  },
  "/m": query("ids", { anyOf: [{ type: "integer" }, { $ref: "#/components/schemas/Integers" }] }),
  "/n": query("level", { enum: [1, 2] }),
  "/s": {
    get: { requestBody: { required: true, content: { "application/json": { schema: filter } } }, responses: {} },
  },
  "/o": {
    get: {
      parameters: [
        { name: "session", in: "cookie", required: true, schema: { type: "integer" } },
        { name: "X-Ids", in: "header", required: true, schema: integers },
        { name: "X-Pair", in: "header", explode: true, schema: filter },
        // OpenAPI ignores the first two; the third is no name of a header.
        { name: "Accept", in: "header", required: true, schema: { enum: ["none"] } },
        { name: "content-type", in: "header", required: true, schema: { enum: ["none"] } },
        { name: "", in: "header", required: true, schema: { enum: ["none"] } },
      ],
      responses: {},
    },
  },
  "/p/{ids}": {
    get: { parameters: [{ name: "ids", in: "path", required: true, schema: integers }], responses: {} },
  },
  "/q/{one}": {
    get: {
      parameters: [{ name: "one", in: "path", required: true, style: "matrix", schema: { type: "integer" } }],
      responses: {},
    },
  },
  "/r/{a}": inPath("a"),
  "/r/{b}": { post: inPath("b").get },
  "/a": query("include[]", { type: "array", items: { type: "string" } }),
  "/d": query("ids", integers, { style: "form", explode: false }),
  "/e": query("names", { type: ["array", "null"], items: { type: "string" } }, { explode: false }),
  "/f": query("ids", integers),
  "/g": query("flags", { type: "array", items: { type: "boolean" } }),
  "/b/{id}": inPath("id"),
  "/b/{id}.json": inPath("id"),
  "/b/first.json": inPath(),
  "/b/{id}.raw.json": inPath("id"),
  "/{a}..{b}": inPath("a", "b"),
  "/v{n}/x": inPath("n"),
  "/union": {
    post: {
      requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Either" } } } },
      responses: {},
    },
  },
};

function query(name: string, schema: object, style: object = {}) {
  return { get: { parameters: [{ name, in: "query", schema, ...style }], responses: {} } };
}

function inPath(...names: string[]) {
  const parameters = names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  return { get: { parameters, responses: {} } };
}

const document = readDocument({
  openapi: "3.1.0",
  info: { title: "Strange", version: "1.0.0" },
  paths,
  components: {
    schemas: {
      Filter: filter,
      Integer: { type: "integer" },
      Integers: integers,
      A: tagged("a"),
      B: tagged("b"),
      Either: {
        anyOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/B" }],
        discriminator: { propertyName: "kind" },
      },
    },
  },
});

const handlers = Object.fromEntries(
  document.operations.map(({ name, id }) => [
    name,
    ({ path, query }: { path: object; query: object }) => ({ status: 200, body: { name: id, ...path, ...query } }),
  ]),
);
const strange = host({ name: "strange", document, handlers, keys: "none" });

async function ask(path: string, body?: object, headers?: object): Promise<[status: number, body: unknown]> {
  const init = headers
    ? { headers: { ...headers } }
    : body && { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const response = await strange.fetch(new Request(`http://strange.invalid${path}`, init));
  return [response.status, await response.json()];
}

it.each([
  ["/a?include[]=x&include[]=y", { "include[]": ["x", "y"] }],
  ["/a?include%5B%5D=x", { "include[]": ["x"] }],
  ["/f?ids=1&ids=2", { ids: [1, 2] }],
  ["/g?flags=true&flags=false", { flags: [true, false] }],
  ["/d?ids=1,2", { ids: [1, 2] }],
  ["/d?ids=1%2C2", { ids: [1, 2] }],
  ["/d?other=3,4&ids=5", { ids: [5] }],
  ["/e?names=a%2Cb,c+d,1?", { names: ["a,b", "c d", "1?"] }],
  ["/h?ids=1%202+3", { ids: [1, 2, 3] }],
  ["/i?ids=1%7C2|3", { ids: [1, 2, 3] }],
  ["/m?ids=1", { ids: 1 }],
  ["/m?ids=1&ids=2", { ids: [1, 2] }],
  ["/n?level=2", { level: 2 }],
  ["/c?f[x]=1&f%5Btags%5D=2&f[tags]=3&f[y]=4", { f: { x: 1, tags: [2, 3], y: "4" } }],
  ["/j?x=1&tags=2&other=3", { f: { x: 1, tags: [2] } }],
  ["/k?f=x,1", { f: { x: 1 } }],
  ["/s", {}],
  ["/l?f=%7B%22x%22%3A1%7D", { f: { x: 1 } }],
])("reads the values of %s", async (path, expected) => {
  expect(await ask(path)).toEqual([200, { name: `get ${path.split("?")[0]}`, ...expected }]);
});

it.each([
  ["/f?ids=1&ids=b", ["query", "ids", 1]],
  ["/d?ids=1,b", ["query", "ids", 1]],
  ["/g?flags=2", ["query", "flags", 0]],
  ["/h?ids=1%20b", ["query", "ids", 1]],
  ["/c?f[x]=abc", ["query", "f", "x"]],
  ["/c?f[x][y]=1", ["query", "f", "x"]],
  ["/j?tags=1&tags=b", ["query", "f", "tags", 1]],
  ["/k?f=x,b", ["query", "f", "x"]],
  ["/l?f=%7B%22x%22%3A%22b%22%7D", ["query", "f", "x"]],
  ["/l?f=x", ["query", "f"]],
  ["/l", ["query", "f"]],
  ["/p/1,b", ["path", "ids", 1]],
])("says which item of %s is invalid", async (path, loc) => {
  expect(await ask(path)).toMatchObject([422, { detail: [{ loc }] }]);
});

it("judges cookies and headers", async () => {
  const good = { cookie: "other=x; session=1", "x-ids": "1, 2", "x-pair": "x=1" };
  expect((await ask("/o", undefined, good))[0]).toBe(200);
  const bad = { cookie: "session=x", "x-ids": "1,b", "x-pair": "x=b" };
  const faultsOf = ([status, body]: [number, unknown]): unknown[] => [
    status,
    ...Object(body).detail.map(({ loc, type }: { loc: unknown[]; type: string }) => `${loc.join(".")} ${type}`),
  ];
  const wrong = ["header.X-Ids.1 int_type", "header.X-Pair.x int_type", "cookie.session int_type"];
  expect(faultsOf(await ask("/o", undefined, bad))).toEqual([422, ...wrong]);
  expect(faultsOf(await ask("/o"))).toEqual([422, "header.X-Ids missing", "cookie.session missing"]);
});

it("serves paths that differ in names alone, and names what it does not support", async () => {
  expect(await ask("/r/1")).toEqual([200, { name: "get /r/{a}", a: "1", b: "1" }]);
  expect(await ask("/r/1", {})).toEqual([200, { name: "post /r/{b}", a: "1", b: "1" }]);
  expect(await ask("/q/;one=x")).toMatchObject([200, {}]);
  expect(unsupportedIn(document).map(({ message }) => message)).toEqual([
    "The path parameter one has the style matrix, which is not supported.",
    "s.get declares a body for GET, which HTTP does not define and `fetch` does not send.",
    "The paths /r/{a} and /r/{b} differ only in the names of their parameters.",
  ]);
});

it.each([
  ["/b/1.json", "/b/{id}.json", { id: "1" }],
  ["/b/a%2Fb.json", "/b/{id}.json", { id: "a/b" }],
  ["/b/first.json", "/b/first.json", {}],
  ["/b/1.raw.json", "/b/{id}.raw.json", { id: "1" }],
  ["/b/1.xml", "/b/{id}", { id: "1.xml" }],
  ["/b/.json", "/b/{id}", { id: ".json" }],
  ["/main..topic", "/{a}..{b}", { a: "main", b: "topic" }],
  ["/v2/x", "/v{n}/x", { n: "2" }],
])("finds %s as %s", async (path, name, params) => {
  expect(await ask(path)).toEqual([200, { name: `get ${name}`, ...params }]);
});

it.each(["/v/x", "/main.topic", "/b/1.json/"])("does not find %s", async (path) => {
  expect((await ask(path))[0]).toBe(404);
});

it("judges `anyOf` with a discriminator by the branch that the tag names", async () => {
  expect((await ask("/union", { kind: "a", x: 1 }))[0]).toBe(200);
  expect(await ask("/union", { kind: "b", x: "n" })).toMatchObject([422, { detail: [{ loc: ["body", "x"] }] }]);
  expect(await ask("/union", { kind: "c" })).toMatchObject([422, { detail: [{ loc: ["body", "kind"] }] }]);
});

it("reads the lists that clients send", async () => {
  const operations = document.operations.map((operation) => {
    const { id, path } = operation;
    return { name: id, method: "GET", path, query: "argument", joined: joinedLists(operation) } as const;
  });
  const service = { name: "strange", contractVersion: "1", timeout: 10, joinLists };
  const options = {
    baseUrl: "http://strange.invalid",
    fetch: async (url: string, init: RequestInit) => strange.fetch(new Request(url, init)),
  };
  type Ask = (query: object) => Promise<unknown>;
  const byName = Object.fromEntries(operations.map((one): [string, Op<Ask>] => [one.name, one]));
  const client = pickClient(service, options, byName);
  const http = createHttp<Record<string, { get: { parameters: { query: object }; responses: object } }>>(
    service,
    options,
    operations,
  );
  const listOf = (path: string, name: string, items: fc.Arbitrary<string | number>) =>
    fc.record({ path: fc.constant(path), name: fc.constant(name), list: fc.array(items, { minLength: 1 }) });
  const lists = fc.oneof(
    listOf("/d", "ids", fc.integer()),
    listOf("/f", "ids", fc.integer()),
    listOf("/e", "names", fc.string()),
    listOf("/a", "include[]", fc.string()),
  );
  await fc.assert(
    fc.asyncProperty(lists, async ({ path, name, list }) => {
      const query = { other: "a,b", [name]: list };
      const expected = { name: `get ${path}`, [name]: list };
      expect(await client[`get ${path}`]?.(query)).toEqual(expected);
      expect((await http.GET(path, { params: { query } })).data).toEqual(expected);
    }),
  );
});
