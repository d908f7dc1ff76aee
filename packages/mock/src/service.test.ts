import { describe, expect, it } from "vitest";
import { caller } from "../test/call.ts";
import { bookId, library } from "../test/library.ts";
import { mockService } from "./index.ts";

const mock = mockService(library, { maxBodyBytes: 1000, maxBodyDepth: 5 });
const call = caller(mock.connect());

const basic = (text: string) => `Basic ${btoa(text)}`;

const bad = (title: unknown, param: string | null, code = "invalid_value") => ({
  status: 400,
  body: { error: { title, code, param } },
});

const prefer = async (route: string, wish: string, body?: unknown) => call(route, { headers: { prefer: wish }, body });

const origin = "http://localhost:8080";
const allow = async (from: string, route = "GET /books") =>
  (await call(route, { headers: { origin: from } })).headers.get("access-control-allow-origin");

describe("answers", () => {
  it("are the first example of the success response", async () => {
    const answer = await call("POST /books", { body: { title: "Emma" } });
    expect(answer).toMatchObject({ status: 200, body: { id: bookId, title: "Emma", pages: 474 } });
    expect(answer.headers.get("content-type")).toBe("application/json");
  });

  it("carry a request id of their own, errors too", async () => {
    const routes = ["GET /books", "GET /books", "GET /nothing", "PUT /books"];
    const ids = await Promise.all(routes.map(async (route) => (await call(route)).headers.get("x-request-id")));
    for (const id of ids) expect(id).toMatch(/^req_[\da-f]{16}$/);
    expect(new Set(ids).size).toBe(4);
  });

  it("stream event by event if the body asks for it, whatever `Accept` says", async () => {
    const response = await mock.handle(
      new Request(`http://mock.invalid/library/books/${bookId}/read`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: '{"aloud":true}',
      }),
    );
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const chunks: string[] = [];
    for await (const chunk of response.body ?? []) chunks.push(new TextDecoder().decode(chunk));
    expect(chunks).toEqual(["data: Emma\n\n", "data: Woodhouse\n\n", "data: [END]\n\n"]);
  });

  it.each([{ aloud: false }, { aloud: null }, undefined, {}])("do not stream for %j", async (body) => {
    const headers = { accept: "text/event-stream" };
    const faulty = body?.aloud === null;
    const expected = faulty ? { status: 422 } : { status: 200, body: { words: "Emma Woodhouse" } };
    expect(await call(`POST /books/${bookId}/read`, { body, headers })).toMatchObject(expected);
  });
});

describe("routes", () => {
  it.each([
    ["GET /nothing", 404],
    ["GET /", 404],
    ["GET //books", 404],
    ["GET /books/", 405],
    ["GET /books/new/", 404],
    [`GET /books/${bookId}/`, 404],
    ["GET /bo%6Fks", 200],
    ["GET /books%2Fnew", 404],
    ["GET /books/%zz", 404],
    ["GET /%F0%9F%93%9A", 404],
    ["GET /books?x=1&x=2", 200],
  ])("%s is %i", async (route, status) => {
    expect((await call(route)).status).toBe(status);
  });

  it.each([
    ["PUT /books", "GET, HEAD, POST"],
    ["OPTIONS /books", "GET, HEAD, POST"],
    ["HEAD /books/", "POST"],
    ["GET /books/", "POST"],
    [`DELETE /books/${bookId}`, "GET, HEAD"],
  ])("%s is 405, and lists the allowed methods", async (route, allowed) => {
    const { status, headers } = await call(route);
    expect([status, headers.get("allow")]).toEqual([405, allowed]);
  });

  it("put the message where the service's errors have it", async () => {
    expect((await call("GET /nothing")).body).toEqual({
      error: { title: expect.stringContaining("No operation matches GET /library/nothing.") },
    });
    expect((await call("PATCH /books")).body).toEqual({
      error: { title: "PATCH is not allowed here. Use GET, HEAD, POST.", code: "method_not_allowed", param: null },
    });
  });

  it("include aliases", async () => {
    expect(await call("POST /books/", { body: { title: "Emma" } })).toMatchObject({
      status: 200,
      body: { id: bookId },
    });
  });

  it.each(["1", "0b7e4a52-91c6-4d38-8f15-2a6d9c3e7b4", `${bookId}x`, "..%2F", "%20"])(
    "no resource has the id %s",
    async (id) => {
      const { status, body } = await call(`GET /books/${id}?card=1`);
      expect(status).toBe(404);
      const title = `There is nothing with the id ${decodeURIComponent(id)}.`;
      expect(body).toEqual({ error: { title, shelf: 3 } });
    },
  );
});

describe("keys", () => {
  it.each<[string, string | undefined, number]>([
    ["POST /books", undefined, 401],
    ["POST /books", "", 401],
    ["POST /books", "Bearer", 401],
    ["POST /books", "Bearer ", 401],
    ["POST /books", "Token a", 401],
    ["POST /books", basic("a:b"), 401],
    ["POST /books", "bearer a", 400],
    ["POST /books", "BEARER  a", 400],
    ["GET /books", undefined, 200],
    ["GET /books", "Bearer a", 200],
    [`GET /books/${bookId}`, undefined, 401],
    [`GET /books/${bookId}`, basic("api:a"), 200],
    [`GET /books/${bookId}`, basic("api:ä:ö"), 200],
    [`GET /books/${bookId}`, basic("api:"), 401],
    [`GET /books/${bookId}`, basic("api"), 401],
    [`GET /books/${bookId}`, "Basic %%%", 401],
    [`GET /books/${bookId}?card=a`, undefined, 200],
    [`GET /books/${bookId}?card=`, undefined, 401],
  ])("%s with %j is %i", async (route, authorization, status) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    expect((await call(route, { key: null, headers })).status).toBe(status);
  });

  it("are checked before the request, with the document's errors", async () => {
    const missing = await call("POST /books", { key: null, body: "{nonsense" });
    expect(missing.headers.get("www-authenticate")).toBe("Card");
    expect(missing.body).toEqual({ error: { title: "Bring a card." } });
    const wrong = await call("POST /books", { key: null, headers: { authorization: "Card a" } });
    expect(wrong.body).toEqual({ error: { title: "That card is not yours." } });
  });

  it("may be limited to some", async () => {
    const strict = mockService(library, { keys: ["one", "two"] });
    const connection = strict.connect();
    const callStrict = caller(connection);
    expect(connection.apiKey).toBe("one");
    const statuses = ["one", "two", "three"].map(async (key) => (await callStrict("POST /books", { key })).status);
    expect(await Promise.all(statuses)).toEqual([400, 400, 401]);
  });
});

describe("requests that are not valid", () => {
  // Not every engine reports the position.
  const notJson = expect.stringMatching(/^The body is not valid JSON( at character \d+)?\.$/);
  it.each<[string, unknown, ReturnType<typeof bad>]>([
    ["no body", undefined, bad("A body is required.", null)],
    ["a missing property", {}, bad('"title" is required.', "title")],
    ["a wrong type", { title: 5 }, bad("title: This must be a string.", "title")],
    ["an empty title", { title: "" }, bad("title: This must have at least 1 character.", "title")],
    ["a list", [{ title: "Emma" }], bad("This must be an object.", null)],
    ["null", null, bad("This must be an object.", null)],
    ["a string", '"Emma"', bad("This must be an object.", null)],
    ["malformed JSON", '{"title":}', bad(notJson, null, "json_invalid")],
    ["half a body", '{"title":', bad(notJson, null, "json_invalid")],
    ["white space", " ", bad(notJson, null, "json_invalid")],
    [
      "bytes that are no text",
      new Blob(["\x22", new Uint8Array([0xff]), "\x22"]),
      bad("The body is not valid JSON: it is not UTF-8.", null, "json_invalid"),
    ],
  ])("%s", async (_, body, expected) => {
    expect(await call("POST /books", { body })).toMatchObject(expected);
  });

  it.each([{ title: "Emma", pages: null }, { title: "📚 Ema", more: { a: [] } }, '\uFEFF{"title":"Emma"}'])(
    "%j passes",
    async (body) => {
      expect((await call("POST /books", { body })).status).toBe(200);
    },
  );

  it("include those of another media type, but not those without one", async () => {
    const body = new Blob(['{"title":"Emma"}']);
    const send = (type: string) => call("POST /books", { body, headers: { "content-type": type } });
    expect(await send("text/plain")).toMatchObject({
      status: 415,
      body: { error: { code: "unsupported_media_type" } },
    });
    expect((await send("application/vnd.library+json; charset=utf-8")).status).toBe(200);
    const { baseUrl, fetch } = mock.connect();
    const init = { method: "POST", body, headers: { authorization: "Bearer a" } };
    expect((await fetch(`${baseUrl}/books`, init)).status).toBe(200);
  });

  it("include those too large or too deep", async () => {
    expect(await call("POST /books", { body: "x".repeat(1001) })).toMatchObject({
      status: 413,
      body: { error: { title: "The request body is larger than 1000 bytes." } },
    });
    expect((await call("POST /books", { body: { title: "Emma", more: [[[["]]]]"]]]] } })).status).toBe(200);
    expect(await call("POST /books", { body: `{"title":"Emma","more":${"[".repeat(900)}` })).toMatchObject({
      status: 413,
      body: { error: { title: "The request body is nested deeper than 5 levels." } },
    });
  });

  it.each([
    ["limit=2&ratio=0.5&lent=true&tag=a&tag=b", 200],
    ["limit=0&limit=3", 200],
    ["limit=3&limit=0", 422],
    ["limit=", 422],
    ["limit=1.5", 422],
    ["limit=0x10", 422],
    ["ratio=1e3", 200],
    ["ratio=a", 422],
    ["lent=yes", 422],
    ["tag=a", 200],
    ["tag=a&tag=b&tag=c", 422],
    ["unknown=%F0%9F%93%9A", 200],
  ])("?%s is %i", async (query, status) => {
    expect((await call(`GET /books?${query}`)).status).toBe(status);
  });

  it("include those with invalid headers", async () => {
    const answer = await call("POST /books", { body: { title: "Emma" }, headers: { "x-trace": "1" } });
    expect(answer).toMatchObject({ status: 400, body: { error: { param: "X-Trace" } } });
  });
});

describe("Prefer", () => {
  it("selects an error without the request that would cause it", async () => {
    const answer = await prefer(`GET /books/${bookId}`, "code=503");
    expect(answer).toMatchObject({ status: 503, body: { error: { title: "The library is closed." } } });
    expect(answer.headers.get("retry-after")).toBe("7");
  });
  it("selects an example", async () => {
    expect(await prefer("POST /books", 'example="long"', { title: "Emma" })).toMatchObject({ body: { pages: 900 } });
    expect(await prefer("GET /books", "code=200; example=none")).toMatchObject({ body: [] });
  });
  it("does not make a request valid", async () => {
    expect((await prefer("POST /books", "code=200", {})).status).toBe(400);
  });
  it("gets the available responses in the error for an unknown one", async () => {
    expect(await prefer("GET /books", "code=418")).toMatchObject({
      status: 501,
      body: { error: { title: "books.list declares no response 418. It declares: 200." } },
    });
    expect(await prefer("GET /books", "example=all")).toMatchObject({
      body: { error: { title: 'The response 200 of books.list has no example "all". There are: some, none.' } },
    });
  });
  it("is ignored if it is invalid", async () => {
    expect((await prefer("GET /books", "code=abc, delay=soon, example=, return=minimal,,=")).status).toBe(200);
  });
});

describe("CORS", () => {
  it.each([origin, "https://127.0.0.1", "http://127.1.2.3:1", "http://[::1]:5173", "http://docs.localhost"])(
    "allows %s",
    async (from) => {
      expect(await allow(from)).toBe(from);
      expect(await allow(from, "GET /nothing")).toBe(from);
    },
  );
  it.each([
    "https://example.com",
    "http://localhost.example.com",
    "http://127.0.0.1.example.com",
    "null",
    "file://",
    "",
  ])("does not allow %s", async (from) => {
    expect(await allow(from)).toBeNull();
  });
  it("answers a preflight without a key", async () => {
    const headers = {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    };
    const { status, headers: answer } = await call("OPTIONS /books", { key: null, headers });
    expect(status).toBe(204);
    expect(Object.fromEntries(answer)).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "GET, HEAD, POST",
      // Clients add their own headers, so all requested ones are allowed.
      "access-control-allow-headers": "authorization",
      "access-control-expose-headers": "x-request-id, Retry-After, retry-after-ms",
      vary: "Origin",
    });
    const foreign = await call("OPTIONS /books", { headers: { ...headers, origin: "https://example.com" } });
    expect([foreign.status, foreign.headers.get("access-control-allow-methods")]).toEqual([204, null]);
  });
});
