import { readDocument } from "@trainyard/document";
import { expect, it } from "vitest";
import type { LiveService } from "../contract.ts";
import { verify, type Verification } from "./verify.ts";

type Json = Readonly<Record<string, unknown>>;

/** Verifies a service of one operation that accepts everything. Returns the result, and the requests without the probes'. */
async function requestsOf(
  parameter: Json,
  set: Readonly<Record<string, string>> = {},
  status: number = 200,
): Promise<Verification & { readonly sent: readonly Request[] }> {
  const get = {
    operationId: "list",
    parameters: [parameter],
    responses: { "200": { description: "The list." }, "404": { description: "It does not exist." } },
  };
  const document = readDocument({ openapi: "3.1.0", info: {}, paths: { "/things": { get } } });
  const sent: Request[] = [];
  const fetch = async (url: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    sent.push(new Request(url, init));
    return new Response(null, { status });
  };
  const service: LiveService = { name: "small", document, baseUrl: "http://127.0.0.1", credentials: {}, fetch };
  const result = await verify([service], { set });
  return { ...result, sent: sent.filter(({ method, url }) => method === "GET" && url.includes("/things")) };
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
  const { sent, notes, findings, unseen } = await requestsOf(query(schema));
  expect(sent).toEqual([]);
  expect(findings.filter(({ operation }) => operation !== undefined)).toEqual([]);
  expect(notes).toEqual(["list: not called, because no value is known for its required `q`. Use --set q=…."]);
  expect(unseen).toEqual(["small list: 200, 404 (needs --set q)"]);
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
