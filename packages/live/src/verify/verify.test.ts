import { readDocument } from "@trainyard/document";
import { expect, it } from "vitest";
import type { LiveService } from "../contract.ts";
import type { VerifyOptions } from "./run.ts";
import { verify, type Verification } from "./verify.ts";

type Json = Readonly<Record<string, unknown>>;

/** Verifies a service that answers each request by a function. Returns the result and the requests. */
async function verified(
  root: Json,
  answer: (request: Request) => Response | Promise<Response>,
  set: Readonly<Record<string, string>> = {},
  basis?: VerifyOptions["basis"],
): Promise<Verification & { readonly requests: readonly Request[]; readonly sent: readonly string[] }> {
  const requests: Request[] = [];
  const sent: string[] = [];
  const fetch = async (url: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    requests.push(request);
    sent.push(`${request.method} ${new URL(request.url).pathname} ${await request.clone().text()}`.trim());
    return answer(request);
  };
  const document = readDocument({ openapi: "3.1.0", "x-trainyard": 1, info: {}, ...root });
  const credentials = { key: "a-key-of-one" };
  const service: LiveService = { name: "small", document, baseUrl: "http://127.0.0.1", credentials, fetch };
  return { ...(await verify([service], { set, basis })), requests, sent };
}

/** Verifies a service of one operation that accepts everything. Returns the result, and the requests without the probes'. */
async function requestsOf(parameter: Json, set?: Readonly<Record<string, string>>, status: number = 200) {
  const responses = { "200": { description: "The list." }, "404": { description: "It does not exist." } };
  const get = { operationId: "list", parameters: [parameter], responses };
  const result = await verified({ paths: { "/things": { get } } }, () => new Response(null, { status }), set);
  return { ...result, sent: result.requests.filter(({ method, url }) => method === "GET" && url.includes("/things")) };
}

const query = (schema: Json, more: Json = {}): Json => ({ in: "query", name: "q", required: true, schema, ...more });

it.each<[string, Json, string]>([
  ["an example", query({ type: "string" }, { example: "here" }), "q=here"],
  ["an example that is a list", query({ type: "array" }, { example: [1, 2] }), "q=1&q=2"],
  ["a default", query({ type: "string", default: "new" }), "q=new"],
  ["a default that is a list", query({ type: "array", default: ["a", "b"] }), "q=a&q=b"],
  [
    "a name and a format of every object",
    query({ type: "string", format: "constructor" }, { name: "constructor" }),
    "constructor=verify",
  ],
  ["an enumeration", query({ enum: ["up", "down"] }), "q=up"],
  ["a constant", query({ const: 7 }), "q=7"],
  ["a lower limit", query({ type: "integer", minimum: 5 }), "q=5"],
  ["an exclusive limit", query({ type: "integer", exclusiveMaximum: -3 }), "q=-4"],
  ["a boolean", query({ type: "boolean" }), "q=true"],
  ["a format", query({ type: "string", format: "date" }), "q=2026-01-01"],
  ["a length", query({ type: "string", minLength: 8, maxLength: 8 }), "q=verify--"],
  ["a pattern that a number fits", query({ type: "string", pattern: "^\\d+$" }), "q=1"],
  ["a union", query({ anyOf: [{ type: "null" }, { type: "integer" }] }), "q=1"],
  ["a list", query({ type: "array", items: { enum: ["a"] }, minItems: 2 }), "q=a&q=a"],
  [
    "a list with commas",
    query({ type: "array", items: { type: "integer" }, minItems: 2 }, { explode: false }),
    "q=1,1",
  ],
])("fills a required query parameter from %s", async (_, parameter, search) => {
  const { sent, notes } = await requestsOf(parameter);
  expect(new URL(sent[0]?.url ?? "").search).toBe(`?${search}`);
  expect(notes).toEqual([]);
});

it("fills a required header, and leaves an optional parameter out", async () => {
  const header = await requestsOf({ in: "header", name: "X-Tier", required: true, schema: { enum: ["gold"] } });
  expect(header.sent[0]?.headers.get("x-tier")).toBe("gold");
  const optional = await requestsOf(query({ type: "string" }, { required: false }));
  expect(optional.sent[0]?.url).toBe("http://127.0.0.1/things");
});

it.each<[string, Json]>([
  ["a pattern that no value fits", { type: "string", pattern: "^[A-Z]{3}(?=\\d{4}$)" }],
  ["an object", { type: "object" }],
])("makes no request without a value, and says so: %s", async (_, schema) => {
  const { sent, notes, findings, coverage } = await requestsOf(query(schema));
  expect(sent).toEqual([]);
  expect(findings.filter(({ operations }) => operations.length > 0)).toEqual([]);
  expect(notes).toEqual(["list: not called, because no value is known for its required `q`. Use --set q=…."]);
  expect(coverage).toEqual(
    ["200", "404"].map((status) => ({ service: "small", operation: "list", status, seen: 0, why: "needs --set q" })),
  );
  const given = await requestsOf(query(schema), { q: "ABC1234" });
  expect(given.sent[0]?.url).toBe("http://127.0.0.1/things?q=ABC1234");
  expect(given.notes).toEqual([]);
});

it("lets a service refuse a value that the document does not show", async () => {
  const made = await requestsOf(query({ type: "string" }), {}, 404);
  expect(made.findings.map(({ says }) => says).filter((says) => says.includes("succeeds"))).toEqual([]);
  const shown = await requestsOf(query({ type: "string" }, { example: "here" }), {}, 404);
  expect(shown.findings.map(({ says }) => says)).toContain("A request like the example of the document succeeds.");
});

const paths = (...operations: readonly (readonly [path: string, method: string, operation: Json])[]): Json =>
  Object.fromEntries(
    operations.map(([path, method, operation]) => [
      path,
      { [method]: { operationId: path, responses: {}, ...operation } },
    ]),
  );

const says = ({ findings }: Verification): string[] =>
  findings.filter(({ operations }) => operations.length > 0).map(({ says: sentence }) => sentence);

it("accepts any refusal where the document declares none", async () => {
  const body = { required: true, content: { "application/json": { schema: { type: "object", required: ["q"] } } } };
  const root = {
    paths: paths(
      ["/a", "post", { requestBody: body, security: [{ key: [] }], responses: { 204: {} } }],
      ["/b", "post", { requestBody: body, responses: { 204: {}, default: {} } }],
    ),
    components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "key" } } },
  };
  const refused = await verified(root, () => Response.json({ error: "No." }, { status: 409 }));
  expect(says(refused)).toEqual([]);
  const accepted = await verified(root, () => new Response(null, { status: 204 }));
  expect(new Set(says(accepted))).toEqual(new Set(["401: The request is rejected.", "422: The request is rejected."]));
});

it("asks for ids that their schemas permit", async () => {
  const id = (schema: Json): Json => ({ name: "id", in: "path", required: true, schema });
  const of = (schema: Json): Json => ({ parameters: [id(schema)], responses: { 200: {}, 404: {} } });
  const root = {
    paths: paths(
      ["/whole/{id}", "get", of({ type: "integer", maximum: 40_000 })],
      ["/one/{id}", "get", of({ enum: ["a"] })],
    ),
  };
  const result = await verified(root, ({ url }) => new Response(null, { status: url.endsWith("none") ? 422 : 404 }));
  expect(result.sent.filter((one) => one.includes("/whole/"))).toEqual(["GET /whole/32767", "GET /whole/verify-none"]);
  expect(result.sent.filter((one) => one.includes("/one/"))).toEqual([]);
  expect(says(result)).toEqual([]);
});

it("sends invalid forms as forms, and no JSON that is cut off", async () => {
  const schema = { type: "object", required: ["q"], properties: { q: { type: "integer" } } };
  const content = { "application/x-www-form-urlencoded": { schema, example: { q: 1 } } };
  const root = { paths: paths(["/a", "post", { requestBody: { content }, responses: { 204: {}, 422: {} } }]) };
  const { sent } = await verified(root, () => new Response(null, { status: 422 }));
  expect(new Set(sent.filter((one) => one.startsWith("POST /a")))).toEqual(new Set(["POST /a"]));
});

it.each([
  ["a type", { type: "object", required: ["q"] }, 1],
  // The other keywords of an object say nothing of a list.
  ["none", { required: ["q"] }, 0],
])("sends a list as the body only where the schema forbids it: with %s", async (_, schema, times) => {
  const requestBody = { required: true, content: { "application/json": { schema } } };
  const root = { paths: paths(["/a", "post", { requestBody, responses: { 204: {}, 422: {} } }]) };
  const { sent } = await verified(root, () => new Response(null, { status: 422 }));
  expect(sent.filter((one) => one === "POST /a []")).toHaveLength(times);
});

it("does not expect in a request what only the service writes, nor in a response what only callers do", async () => {
  const text = { type: "string" };
  const [id, secret] = [
    { ...text, readOnly: true },
    { ...text, writeOnly: true },
  ];
  const User = { type: "object", required: ["id", "name", "secret"], properties: { id, name: text, secret } };
  const schema = { $ref: "#/components/schemas/User" };
  const requestBody = {
    required: true,
    content: { "application/json": { schema, example: { name: "n", secret: "s" } } },
  };
  const responses = { 200: { content: { "application/json": { schema } } }, 422: {} };
  const root = { paths: paths(["/a", "post", { requestBody, responses }]), components: { schemas: { User } } };
  const { findings, sent } = await verified(root, async (request) => {
    if (new URL(request.url).pathname !== "/a") return new Response(null, { status: 404 });
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
    const { name, secret: word } = Object(await request.json().catch(() => undefined));
    // It ignores an `id`, whatever that is.
    if (typeof name !== "string" || typeof word !== "string") return new Response(null, { status: 422 });
    return Response.json({ id: "i", name });
  });
  expect(findings).toEqual([]);
  const bodies = sent.filter((one) => one.startsWith("POST /a {"));
  expect(bodies.length).toBeGreaterThan(3);
  expect(bodies.filter((body) => body.includes('"id"'))).toEqual([]);
});

it("sends the cookies and styles that a document requires", async () => {
  const deep = { name: "f", in: "query", required: true, style: "deepObject", example: { x: 1 }, schema: {} };
  const cookie = { name: "session", in: "cookie", required: true, schema: { enum: ["a;b"] } };
  const seen = new Set<string>();
  await verified({ paths: paths(["/a", "get", { parameters: [deep, cookie], responses: { 200: {} } }]) }, (request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname === "/a" && request.method === "GET") seen.add(`${search} ${request.headers.get("cookie")}`);
    return new Response(null, { status: 200 });
  });
  expect(seen).toEqual(new Set(["?f%5Bx%5D=1 session=a%3Bb", " session=a%3Bb"]));
});

it("reports nothing that the document does not say of errors", async () => {
  const root = { paths: paths(["/a", "get", { responses: { 200: {}, 500: {} } }]) };
  const broken = await verified(root, () => Response.json({ detail: ["No."], error: {} }, { status: 500 }));
  expect(says(broken)).toEqual(["A request like the example of the document succeeds."]);
});

it("notes a schema that permits nothing, and does not judge by it", async () => {
  const schema = { type: "object", required: ["a"], properties: { a: { type: "null", enum: ["x"] } } };
  const content = { "application/json": { schema } };
  const result = await verified({ paths: paths(["/a", "get", { responses: { 200: { content } } }]) }, () =>
    Response.json({ a: "x" }),
  );
  expect(says(result)).toEqual([]);
  expect(result.notes).toEqual(["a: `a` was not judged, because no value was found that its schema permits."]);
});

it("counts a rule as checked once its property was seen", async () => {
  const rule = { id: "base-models-once", basis: "proposed", text: "Each once." };
  const schema = { type: "object", properties: { ids: { type: "array", items: {}, "x-rules": [rule] } } };
  const root = { paths: paths(["/a", "get", { responses: { 200: { content: { "application/json": { schema } } } } }]) };
  const unchecked = async (body: Json) =>
    (await verified(root, () => Response.json(body))).rules.unchecked.filter(({ id }) => id === rule.id);
  expect(await unchecked({})).toEqual([{ service: "small", id: rule.id, why: "no response had its value" }]);
  expect(await unchecked({ ids: [1] })).toEqual([]);
});

it("counts a property of any member of a union that the tags do not exclude as declared", async () => {
  const of = (names: string, more: Json = {}): Json => ({
    type: "object",
    properties: Object.fromEntries(names.split(" ").map((name) => [name, {}])),
    ...more,
  });
  const within = (name: string): Json => of("", { properties: { data: of(name) } });
  const [red, blue] = ["red", "blue"].map((kind) => of("", { properties: { kind: { const: kind }, [kind]: {} } }));
  const properties = {
    open: {
      anyOf: [of("a"), of("b", { required: ["b"] }), of("c", { additionalProperties: false }), { type: "null" }],
    },
    deep: { anyOf: [within("a"), { allOf: [within("b")] }] },
    self: { $ref: "#/components/schemas/Self" },
    tagged: { anyOf: [red, blue] },
  };
  const content = { "application/json": { schema: { type: "object", properties } } };
  const Self = { anyOf: [of("a"), { $ref: "#/components/schemas/Self" }, of("b")] };
  const root = { paths: paths(["/a", "get", { responses: { 200: { content } } }]), components: { schemas: { Self } } };
  const told = async (body: Json) => says(await verified(root, () => Response.json(body)));
  expect(await told({ open: { b: 1, c: 2 }, deep: { data: { a: 1, b: 2 } }, self: { b: 1 } })).toEqual([]);
  expect(
    await told({ open: { z: 1 }, deep: { data: { z: 1 } }, self: { z: 1 }, tagged: { kind: "red", blue: 1 } }),
  ).toEqual(
    ["open", "deep.data", "self"]
      .map((at) => `\`${at}\` has no property \`z\`.`)
      .concat("`tagged` has no property `blue`."),
  );
});

it("lists no rules of our documents for another document", async () => {
  const root = { paths: paths(["/a", "get", { responses: { 200: {} } }]) };
  const { rules } = await verified(root, () => new Response(null, { status: 200 }));
  expect(rules).toEqual({ checked: 0, unchecked: [] });
});

it.each([
  ["interface", "adopted", ["contradicts"]],
  ["adopted", "interface", ["contradicts"]],
  ["adopted", "proposed", ["differs from a proposal"]],
])("says of one cause what its strongest basis says: %s, and then %s", async (first, second, certainties) => {
  const of = (basis: string): Json => ({ type: "integer", "x-basis": basis });
  const schema = { type: "object", "x-basis": "proposed", properties: { a: of(first), b: of(second) } };
  const requestBody = { content: { "application/json": { schema, example: { a: 1, b: 2 } } } };
  const post = { "x-basis": "interface", requestBody, responses: { 204: {}, 422: { description: "It is invalid." } } };
  const root = { "x-trainyard": 1, paths: paths(["/a", "post", post]) };
  // It refuses what is not a JSON object.
  const answer = async (request: Request): Promise<Response> =>
    new Response(null, { status: (await request.text()).startsWith('{"a"') ? 204 : 422 });
  const { findings } = await verified(root, answer, {}, "interface");
  const invalid = findings.filter(({ says: sentence }) => sentence.startsWith("422"));
  expect(invalid.map(({ certainty }) => certainty)).toEqual(certainties);
});
