import { describe, expect, it } from "vitest";
import { ask, shopHost, thingId } from "./shop.ts";

const host = shopHost({}, { limits: { bodyBytes: 100, bodyDepth: 5, headerBytes: 400 } });
const large = JSON.stringify({ name: "x".repeat(200) });
const encoded = { "content-encoding": "gzip" };
const plainText = { "content-type": "text/plain" };
const wrongKey = { authorization: "Bearer bad" };
const manyHeaders = { "x-long": "x".repeat(500) };
const bothWrong = { ...wrongKey, ...manyHeaders };
const body = (value: unknown) => ({ body: typeof value === "string" ? value : JSON.stringify(value) });

describe("validates in one order: each request below also has the faults of those after it", () => {
  it.each<[what: string, path: string, init: RequestInit, status: number, code: string]>([
    ["an unknown path", "/thing", { ...body(large), headers: bothWrong }, 404, "unknown_url"],
    ["a method", "/things", { method: "PATCH", ...body(large), headers: bothWrong }, 405, "method_not_allowed"],
    ["headers", "/things?limit=x", { ...body(large), headers: bothWrong }, 431, "headers_too_large"],
    ["a key", "/things?limit=x", { ...body(large), headers: { ...wrongKey, ...encoded } }, 401, "invalid_api_key"],
    ["a body's size", "/things", { ...body(large), headers: encoded }, 413, "content_too_large"],
    ["a body's encoding", "/things", { ...body("{"), headers: encoded }, 415, "unsupported_media_type"],
    ["a media type", "/things", { ...body("{"), headers: plainText }, 415, "unsupported_media_type"],
    ["a body's depth", "/things", body("[[[[[[[["), 413, "content_too_large"],
    ["a body that is not JSON", "/things", body("{"), 400, "json_invalid"],
    ["a body", "/things", body({ name: 5 }), 400, "invalid_value"],
    ["no body", "/things", { method: "POST" }, 400, "invalid_value"],
    ["a parameter", "/things?limit=x", {}, 400, "invalid_value"],
    ["an id", "/things/x", {}, 404, "unknown_thing"],
  ])("%s", async (_, path, init, status, code) => {
    expect(await ask(host, path, init)).toMatchObject({ status, body: { code, reason: expect.any(String) } });
  });
});

it("uses the messages of the document's examples, or a more specific one", async () => {
  const missing = await ask(host, "/things", { headers: { authorization: "" } });
  expect(missing.body).toEqual({ code: "missing_api_key", reason: "Send a key." });
  const wrong = await ask(host, "/things", { headers: wrongKey });
  expect(wrong.body).toEqual({ code: "invalid_api_key", reason: "No such key." });
  expect((await ask(host, "/things", body({}))).body).toMatchObject({ reason: '"name" is required.' });
});

it("suggests the nearest path, and lists the allowed methods", async () => {
  expect((await ask(host, "/thigns")).body).toMatchObject({
    reason: "No operation matches GET /shop/thigns. Did you mean GET /shop/things?",
  });
  const { headers } = await ask(host, "/things", { method: "PATCH" });
  expect(headers.get("allow")).toBe("GET, HEAD, POST");
});

it("answers HEAD where GET is declared, with the headers of GET", async () => {
  const [get, head] = [await ask(host, "/things"), await ask(host, "/things", { method: "HEAD" })];
  expect([head.status, head.body]).toEqual([200, ""]);
  expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
  for (const path of ["/things/x", "/nothing", "/text"]) {
    expect(await ask(host, path, { method: "HEAD" })).toMatchObject({ status: path === "/text" ? 405 : 404, body: "" });
  }
});

it("matches decoded paths, literal segments first", async () => {
  const calls: string[] = [];
  const shop = shopHost({
    handlers: {
      "things.named": () => ({ status: 200, body: { name: "named" } }),
      "things.get": ({ path }) => {
        calls.push(path["thing_id"] ?? "");
        return { status: 200, body: { name: "one" } };
      },
    },
  });
  expect((await ask(shop, "/thin%67s/named")).body).toEqual({ name: "named" });
  expect((await ask(shop, `/things/${thingId.replace("6", "%36")}`)).status).toBe(200);
  expect(calls).toEqual([thingId]);
  expect((await ask(shop, "/things/")).status).toBe(404);
  expect((await ask(shop, "/things/%ff")).status).toBe(404);
});

it("reads no body of an unauthorized caller", async () => {
  let read = false;
  const stream = new ReadableStream(
    {
      pull: () => {
        read = true;
      },
    },
    { highWaterMark: 0 },
  );
  const request = new Request("http://shop.invalid/shop/things", {
    method: "POST",
    body: stream,
    duplex: "half",
  } as RequestInit);
  expect((await host.fetch(request)).status).toBe(401);
  expect(read).toBe(false);
});

it("logs nothing confidential about a request", async () => {
  const entries: object[] = [];
  const shop = shopHost({}, { log: (entry) => entries.push(entry) });
  await ask(shop, "/query?shop_key=good");
  expect(entries).toMatchObject([{ method: "GET", path: "/shop/query", status: 200 }]);
  expect(JSON.stringify(entries)).not.toContain("good");
});

it.each<[string, Record<string, number>, number]>([
  ["of every document", { "things.make": 5 }, 413],
  ["of this document", { "shop things.make": 5 }, 413],
  ["of another document", { "training things.make": 5 }, 200],
])("limits the bytes of an operation's body: %s", async (_, bodyBytesOf, status) => {
  const limited = shopHost({}, { limits: { bodyBytesOf } });
  expect(await ask(limited, "/things", body({ name: "a" }))).toMatchObject({ status });
});

it("counts the values of a body before it reads them", async () => {
  const limited = shopHost({}, { limits: { bodyValuesOf: { "shop things.make": 5 } } });
  const fits = await ask(limited, "/things", body({ name: "a, b, [c, d], {e, f}" }));
  expect(fits.status).toBe(200);
  const over = await ask(limited, "/things", body({ name: "a", more: [1, 2, 3, 4] }));
  expect(over).toMatchObject({
    status: 413,
    body: { code: "content_too_large", reason: expect.stringMatching(/about \d+ values.* at most 5\./) },
  });
});
