/** Calls of documents that other people write. The host reads what the command sends. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readDocument } from "@trainyard/document";
import { host } from "@trainyard/host";
import { afterAll, expect, it } from "vitest";
import { callCommand, type CallTerminal } from "./command.ts";

const integers = { type: "array", items: { type: "integer" } };
const texts = { type: "array", items: { type: "string" } };
const filter = { type: "object", properties: { x: { type: "integer" } } };
const file = { type: "string", contentMediaType: "application/octet-stream" };
const form = { type: "object", required: ["q"], properties: { q: { type: "integer" }, tags: integers, file } };

function get(path: string, ...parameters: object[]) {
  const [operationId] = path.split("/");
  return { [`/${path}`]: { get: { operationId, parameters, responses: { 204: {} } } } };
}

function put(name: string, mediaType: string, schema: object, media: object = {}) {
  const body = { required: true, content: { [mediaType]: { schema, ...media } } };
  return { [`/${name}`]: { put: { operationId: name, requestBody: body, responses: { 204: {} } } } };
}

function answer(name: string, content: object) {
  return { [`/${name}`]: { get: { operationId: name, responses: { 200: { content } } } } };
}

const root = {
  openapi: "3.1.0",
  paths: {
    ...get("list", { name: "ids", in: "query", schema: integers }),
    ...get("joined", { name: "ids", in: "query", explode: false, schema: integers }),
    ...get("spaced", { name: "ids", in: "query", style: "spaceDelimited", schema: integers }),
    ...get("piped", { name: "ids", in: "query", style: "pipeDelimited", explode: false, schema: integers }),
    ...get("deep", { name: "f", in: "query", style: "deepObject", schema: filter }),
    ...get("exploded", { name: "f", in: "query", schema: filter }),
    ...get("named", { name: "include[]", in: "query", schema: texts }),
    ...get("json", { name: "f", in: "query", content: { "application/json": { schema: filter } } }),
    ...get("header", { name: "X-Ids", in: "header", required: true, schema: integers }),
    ...get("cookie", { name: "session", in: "cookie", required: true, schema: { type: "string" } }),
    ...get("within/{names}", { name: "names", in: "path", required: true, schema: texts }),
    ...get("template/{id}.json", { name: "id", in: "path", required: true, schema: { type: "integer" } }),
    ...put("form", "application/x-www-form-urlencoded", form, { encoding: { tags: { explode: false } } }),
    ...put("multipart", "multipart/form-data", form),
    ...put("text", "text/csv", { type: "string" }),
    ...put("bytes", "application/octet-stream", {}),
    ...put("either", "application/json", {
      oneOf: [
        { type: "object", required: ["n"], properties: { n: { type: ["integer", "string"] } } },
        { type: "array", items: { type: "object", properties: { n: { type: "integer" } } } },
      ],
    }),
    ...put("vendor", "application/vnd.api+json; charset=utf-8", form),
    ...answer("xml", { "application/xml": { example: "<a/>" } }),
    ...answer("image", { "image/png": {} }),
    ...answer("any", { "*/*": { schema: { const: 7 } } }),
    ...answer("pointed", { "application/json": { example: { data: [{ id: "a" }], "x/y": null } } }),
    ...put("user", "application/json", {
      required: ["id", "name"],
      properties: { id: { type: "string", readOnly: true }, name: { type: "string" } },
    }),
    ...put("taken", "application/json", {
      properties: {
        limit: { type: "integer" },
        body: { type: "string" },
        verbose: { type: "boolean" },
        document: { type: "string" },
        messages: { type: "array", items: { type: "object", properties: { role: { enum: ["user", "system"] } } } },
      },
    }),
    ...answer("integers", { "application/json": { schema: { type: "object" } } }),
    ...answer("events", { "text/event-stream": { example: "data: 1\n\ndata: 2\n\n" } }),
  },
};
const document = readDocument(root);
const served = host({ name: "strange", document, keys: "none" }, { unhandled: () => undefined });
const folder = mkdtempSync(path.join(tmpdir(), "call-"));
const bytes = path.join(folder, "bytes");
writeFileSync(bytes, new Uint8Array([1, 2, 255]));
const csv = path.join(folder, "a.csv");
writeFileSync(csv, "a,b");
afterAll(() => rmSync(folder, { recursive: true }));

const call = (...args: string[]) => callWith({}, ...args);

async function callWith(given: Partial<CallTerminal>, ...args: string[]) {
  const sent: Request[] = [];
  const out: Uint8Array[] = [];
  let err = "";
  const code = await callCommand(args, [{ name: "strange", bundle: () => root }], {
    out: (written) => out.push(Buffer.from(written)),
    err: (text) => (err += text),
    environment: { TRAINYARD_STRANGE_URL: "http://strange.invalid" },
    fetch: async (url, init) => {
      const request = new Request(url, init);
      sent.push(request.clone());
      return served.fetch(request);
    },
    ...given,
  });
  const [request] = sent;
  const body = await request?.text();
  return { code, err: err.replace(/request id \S+\n/, ""), out: Buffer.concat(out), request, body };
}

it.each([
  [["list", "--ids", "1", "--ids", "2"], "/list?ids=1&ids=2"],
  [["joined", "--ids", "1", "--ids", "2"], "/joined?ids=1,2"],
  [["spaced", "--ids", "1", "--ids", "2"], "/spaced?ids=1%202"],
  [["piped", "--ids", "1", "--ids", "2"], "/piped?ids=1%7C2"],
  [["deep", "--f", '{"x":1}'], "/deep?f%5Bx%5D=1"],
  [["exploded", "--f", '{"x":1}'], "/exploded?x=1"],
  [["named", "--include[]", "x"], "/named?include%5B%5D=x"],
  [["json", "--f", '{"x":1}'], "/json?f=%7B%22x%22%3A1%7D"],
  [["template", "1"], "/template/1.json"],
  [["within", "a,b"], "/within/a,b"],
])("sends %j as %s", async (args, url) => {
  const { code, err, request } = await call(...args);
  expect({ code, err, url: request?.url }).toEqual({ code: 0, err: "", url: `http://strange.invalid${url}` });
});

it("sends headers and cookies", async () => {
  const header = await call("header", "--X-Ids", "1", "--X-Ids", "2");
  expect([header.code, header.request?.headers.get("x-ids")]).toEqual([0, "1,2"]);
  const cookie = await call("cookie", "--session", "a;b");
  expect([cookie.code, cookie.request?.headers.get("cookie")]).toEqual([0, "session=a%3Bb"]);
  expect(await call("cookie")).toMatchObject({ code: 2, err: expect.stringContaining('"session" is required') });
});

it.each<[string, string[], string, unknown]>([
  ["form", ["--q", "1", "--tags", "1", "--tags", "2"], "application/x-www-form-urlencoded", "q=1&tags=1%2C2"],
  ["text", ["--body", csv], "text/csv", "a,b"],
  ["bytes", ["--body", bytes], "application/octet-stream", expect.any(String)],
  ["vendor", ["--q", "1"], "application/vnd.api+json; charset=utf-8", '{"q":1}'],
  ["either", ["--n:=1"], "application/json", '{"n":1}'],
  ["either", ["--n", "1"], "application/json", '{"n":"1"}'],
])("sends the body of %s", async (name, args, type, written) => {
  const { code, err, request, body } = await call(name, ...args);
  expect({ code, err, type: request?.headers.get("content-type"), body }).toEqual({
    code: 0,
    err: "",
    type,
    body: written,
  });
});

it("asks for no property that only the service writes", async () => {
  expect(await call("user", "--name", "n")).toMatchObject({ code: 0, err: "", body: '{"name":"n"}' });
  const help = (await call("user", "--help")).out.toString();
  expect([help.includes("--name <string>"), help.includes("--id")]).toEqual([true, false]);
});

it("sends the files of a multipart body", async () => {
  const { code, err, body } = await call("multipart", "--q", "1", "--file", `@${csv}`);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(body).toMatch(/name="file"; filename="a.csv"[^]*a,b/);
});

it.each(["form", "multipart", "vendor"])("judges the body of %s before it is sent", async (name) => {
  const { code, err, request } = await call(name, "--q", "x");
  expect({ code, request }).toEqual({ code: 2, request: undefined });
  expect(err).toContain("q: This must be a whole number.");
});

it("asks for a body that has no fields", async () => {
  expect((await call("text")).err).toContain("needs a body of text/csv. Pass a file with --body.");
});

it.each([
  ["xml", "<a/>"],
  ["image", "bytes"],
  ["any", "7\n"],
  ["events", '{"data":"1","type":""}\n{"data":"2","type":""}\n'],
])("prints the answer of %s", async (name, printed) => {
  const { code, err, out } = await call(name);
  expect({ code, err, out: out.toString() }).toEqual({ code: 0, err: "", out: printed });
});

it.each([
  ["/data/0/id", "a\n"],
  ["/data/0", '{"id":"a"}\n'],
  ["/x~1y", "null\n"],
])("prints the member at %s", async (field, printed) => {
  const { code, err, out } = await call("pointed", "--field", field);
  expect({ code, err, out: out.toString() }).toEqual({ code: 0, err: "", out: printed });
});

it.each([
  ["/data/0/ids", "Did you mean /data/0/id?"],
  ["/dta/0/id", "Did you mean /data?"],
  ["/data/1", "Did you mean /data/0?"],
  ["/data/0/id/x", "/data/0/id has no members."],
])("says that there is nothing at %s, and prints the response on standard error", async (field, hint) => {
  const { code, err, out } = await call("pointed", "--field", field);
  expect({ code, out: out.toString() }).toEqual({ code: 2, out: "" });
  expect(err).toBe(`{"data":[{"id":"a"}],"x/y":null}\nThe response has nothing at ${field}. ${hint}\n`);
});

it("prints the member of each event", async () => {
  expect((await call("events", "--field", "/data")).out.toString()).toBe("1\n2\n");
  expect(await call("list", "--field", "data")).toMatchObject({ code: 2, request: undefined });
});

it("prints the status and the headers", async () => {
  const { out } = await call("xml", "-i");
  expect(out.toString()).toMatch(/^HTTP\/1.1 200 .*\n(?:[\w-]+: .*\n)*content-type: application\/xml\n[^]*\n\n<a\/>$/);
});

it.each([
  [["GET", "/pointed?x=1"], "/pointed?x=1", '{"data":[{"id":"a"}],"x/y":null}\n'],
  [["GET", "/xml"], "/xml", "<a/>"],
  [["GET", "/template/1.json"], "/template/1.json", ""],
])("calls %j as it is", async (args, url, printed) => {
  const { code, err, out, request } = await call(...args);
  const sent = { code, err, url: request?.url, out: out.toString() };
  expect(sent).toEqual({ code: 0, err: "", url: `http://strange.invalid${url}`, out: printed });
});

it("calls a path that is not declared, with any body, and says so", async () => {
  const input = async () => '{"a":[1]}';
  const { code, err, request, body } = await callWith({ input }, "POST", "/nothing/here");
  expect({ code, method: request?.method, body }).toEqual({ code: 6, method: "POST", body: '{"a":[1]}' });
  expect(err).toContain("No document declares POST /nothing/here. The call is sent to strange.\n");
  expect(await call("FETCH", "/xml")).toMatchObject({ code: 2, err: expect.stringContaining("no method FETCH") });
});

it("adds fields to the piped body on request, and else says that it was not read", async () => {
  const input = async () => '{"q":1,"tags":[1]}';
  expect((await callWith({ input }, "vendor", "--body", "-", "--q", "2")).body).toBe('{"q":2,"tags":[1]}');
  const { body, err } = await callWith({ input }, "vendor", "--q", "2");
  expect({ body, err }).toEqual({
    body: '{"q":2}',
    err: "Standard input was not read. With --body - the fields are added to it.\n",
  });
  const list = { input: async () => "[1]" };
  expect(await callWith(list, "vendor", "--body", "-", "--q", "2")).toMatchObject({ code: 2, request: undefined });
  expect(await call("vendor", "--body", "-")).toMatchObject({ code: 2, request: undefined });
});

it("ends with 0 and without a message if the reader of its output closes the pipe", async () => {
  const reader = new AbortController();
  const out = () => reader.abort(new Error("SIGPIPE"));
  expect(await callWith({ out, signal: reader.signal }, "events")).toMatchObject({ code: 0, err: "" });
});

it.each([30, 40, 80, 200])("wraps the help of an operation to %d columns", async (columns) => {
  const { code, out } = await callWith({ columns }, "multipart", "--help");
  expect(code).toBe(0);
  const [, ...lines] = out.toString().split("\n");
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
});

it.each([
  [["taken", "--limit", "5", "--body", "x", "--verbose", "true"], '{"limit":5,"body":"x","verbose":true}'],
  [["taken", "--verbose=true", '--document:="x"'], '{"verbose":true,"document":"x"}'],
  [
    ["taken", "--messages.0.role", "user", "--messages.1.role", "system"],
    '{"messages":[{"role":"user"},{"role":"system"}]}',
  ],
  [["vendor", "--body", `@${csv}.json`], '{"q":1}'],
  [["vendor", "--body", '{"q":1}', "--tags", "2"], '{"q":1,"tags":[2]}'],
  [["vendor", "--q", "9007199254740993"], '{"q":9007199254740993}'],
  [["form", "--q", "9007199254740993"], "q=9007199254740993"],
])("sends the body that %j says", async (args, written) => {
  writeFileSync(`${csv}.json`, '{"q":1}');
  const { err, body } = await call(...args);
  expect({ err, body }).toEqual({ err: "", body: written });
});

it("says in the help which flags are fields, and no options", async () => {
  const help = (await call("taken", "--help")).out.toString();
  expect(help).toContain("Not options of the command here: --limit, --body, --verbose\n");
  expect(help).toContain("--document:= <string>");
});

it("sends the digits of parameters and of files' neighbors", async () => {
  const ids = ["--ids", "9007199254740993", "--ids", "9007199254740995"];
  expect((await call("list", ...ids)).request?.url).toContain("?ids=9007199254740993&ids=9007199254740995");
  expect((await call("header", "--X-Ids", "9007199254740993")).request?.headers.get("x-ids")).toBe("9007199254740993");
  expect((await call("multipart", "--q", "9007199254740993")).body).toMatch(/name="q"\s+9007199254740993\s/);
  expect((await call("list", "--ids", "9007199254740993", "--dry-run")).out.toString()).toContain(
    "?ids=9007199254740993'",
  );
});

const digits = '{"id":21473794133340467,"next":21473794133340468,"x":1.0,"text":"9007199254740993 1.0"}';

it.each([
  ["application/json", digits, ["integers"], `${digits}\n`],
  ["text/plain", digits, ["integers"], `${digits}\n`],
  ["application/json", digits, ["integers", "--field", "/next"], "21473794133340468\n"],
  ["text/event-stream", `data: ${digits}\n\n`, ["events", "--field", "/data"], `${digits}\n`],
  ["application/xml", "<a>9007199254740993</a>", ["xml"], "<a>9007199254740993</a>"],
])("prints the digits of %s as they are: %s", async (type, text, args, printed) => {
  const fetch = async () => new Response(text, { headers: { "content-type": type } });
  const { code, out } = await callWith({ fetch }, ...args);
  expect([code, out.toString()]).toEqual([0, printed]);
});

it("prints the digits of an error, and the events of a stream as they arrive", async () => {
  const refused = async () => Response.json({ id: 1 }, { status: 409 });
  expect(await callWith({ fetch: refused }, "integers")).toMatchObject({ code: 4, out: Buffer.from('{"id":1}\n') });
  const { readable, writable } = new TransformStream();
  const writer = writable.getWriter();
  const fetch = async () => new Response(readable, { headers: { "content-type": "text/event-stream" } });
  void writer.write(new TextEncoder().encode("data: 1\r\r"));
  // The second event is written when the first one was printed.
  const out = () => void writer.close();
  expect(await callWith({ fetch, out }, "events")).toMatchObject({ code: 0, err: "" });
});

it("adds headers, which may be a key, and prints what passes with -v", async () => {
  const { err, out, request } = await call("xml", "-v", "-H", "X-A: b", "--header", "Authorization: Bearer mine");
  expect([request?.headers.get("x-a"), request?.headers.get("authorization")]).toEqual(["b", "Bearer mine"]);
  expect(out.toString()).toBe("<a/>");
  expect(err).toMatch(/^curl -X GET 'http:\/\/strange.invalid\/xml'[^]*-H 'x-a: b'[^]*\n\nHTTP\/1.1 200 /);
});

it.each(["-v", "-i", "--dry-run"])("prints no key that was typed with %s", async (option) => {
  const fetch = async () => new Response("<a/>", { headers: { "content-type": "application/xml", "x-seen": "mine" } });
  const { code, err, out } = await callWith({ fetch }, "xml", option, "-H", "Authorization: Bearer mine");
  expect(code).toBe(0);
  expect(`${err}${out.toString()}`).toMatch(/: (Bearer )?\[key\]/);
  expect(`${err}${out.toString()}`).not.toContain("mine");
});

it("ends an attempt after --timeout", async () => {
  const fetch: typeof globalThis.fetch = (_, init) =>
    new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
  expect(await callWith({ fetch }, "form", "--q", "1", "--timeout", "0.01")).toMatchObject({ code: 3 });
});

it.each([
  [["list", "--header", "x"], '--header must be such as "X-Name: value", not x.'],
  [["list", "--timeout", "0"], "--timeout must be a number of seconds, not 0."],
  [
    ["template", "1", "ids=2"],
    "template takes <id>, and 2 were given: trainyard call template <id>. A field is a flag: --ids=2",
  ],
  [["vendor", "--body", "@/no/such"], "The file /no/such cannot be read. --body takes a file, - for standard input"],
  [["list", "--dry-run=1"], "--dry-run takes no value."],
  [["--nope", "1"], "There is no option --nope."],
])("says what is wrong with %j, and sends nothing", async (args, message) => {
  const { code, err, request } = await call(...args);
  expect({ code, request }).toEqual({ code: 2, request: undefined });
  expect(err).toContain(message);
});

it.each([
  ["/base/xml", "http://strange.invalid/base/xml"],
  ["/xml?a=1", "http://strange.invalid/base/xml?a=1"],
  ["http://strange.invalid/other?a=b,c", "http://strange.invalid/other?a=b,c"],
  ["https://elsewhere.invalid/xml", "https://elsewhere.invalid/xml"],
])("sends GET %s to %s, with the key only to its own service", async (target, url) => {
  const security = {
    openapi: "3.1.0",
    components: { securitySchemes: { apiKey: { type: "http", scheme: "bearer" } } },
  };
  const bundle = { ...root, ...security, security: [{ apiKey: [] }] };
  const sent: Request[] = [];
  await callCommand(["GET", target], [{ name: "strange", bundle: () => bundle, keyPrefix: "STRANGE" }], {
    out: () => undefined,
    err: () => undefined,
    environment: { TRAINYARD_STRANGE_URL: "http://strange.invalid/base", STRANGE_API_KEY: "secret" },
    fetch: async (...request) => {
      sent.push(new Request(...request));
      return Response.json({});
    },
  });
  const key = url.includes("elsewhere") ? null : "Bearer secret";
  expect(sent.map((one) => [one.url, one.headers.get("authorization")])).toEqual([[url, key]]);
});
