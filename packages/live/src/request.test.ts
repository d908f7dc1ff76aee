import { readDocument } from "@trainyard/document";
import { expect, it } from "vitest";
import { curlOf, requestOf, writeParameters } from "./request.ts";

it("writes parameters by their styles", async () => {
  const ids = { schema: { type: "array", items: { type: "integer" } } };
  const parameters = [
    { name: "a", in: "query", ...ids },
    { name: "b", in: "query", explode: false, ...ids },
    { name: "c[]", in: "query", style: "pipeDelimited", ...ids },
    { name: "d", in: "query", style: "deepObject", schema: { type: "object" } },
    { name: "X-E", in: "header", ...ids },
    { name: "f", in: "cookie", schema: { type: "string" } },
    { name: "g", in: "path", required: true, ...ids },
  ];
  const document = readDocument({ openapi: "3.1.0", paths: { "/a/{g}": { get: { parameters } } } });
  const [operation] = document.operations;
  if (operation === undefined) throw new Error("The document has no operation.");
  const query = { a: [1, 2], b: [3, 4], "c[]": [5, 6], d: { x: 7 } };
  const values = writeParameters(operation, { query, header: { "X-E": [8, 9] }, cookie: { f: "g;h" } });
  const service = { name: "demo", document, baseUrl: "http://demo.test", credentials: {} };
  expect(await requestOf(service, operation, { ...values, path: { g: "1,2" } })).toMatchObject({
    url: "http://demo.test/a/1,2?a=1&a=2&b=3,4&c%5B%5D=5%7C6&d%5Bx%5D=7",
    headers: { "X-E": "8,9", cookie: "f=g%3Bh" },
  });
});

it.each([
  ["apiKey", "$TRAINYARD_API_KEY"],
  ["accessToken", "$TRAINYARD_ACCESS_TOKEN"],
  ["projectKey", "$TRAINYARD_PROJECT_KEY"],
])("names the variable of %s, whatever the scheme, and does not show the key", (scheme, variable) => {
  const sent = { method: "GET", url: "http://demo.test/things", headers: { "X-Key": "a-secret" }, body: undefined };
  const text = curlOf(sent, { [scheme]: "a-secret" });
  expect(text).toContain(variable);
  expect(text).not.toContain("a-secret");
});
