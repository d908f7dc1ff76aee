import { describe, expect, it } from "vitest";
import { caller } from "../test/call.ts";
import { bookId, library } from "../test/library.ts";
import { mockService } from "./index.ts";

const mock = mockService(library);
const call = caller(mock.connect());

const bad = (title: unknown, param: string | null, code = "invalid_value") => ({
  status: 400,
  body: { error: { title, code, param } },
});

const prefer = async (route: string, wish: string, body?: unknown) => call(route, { headers: { prefer: wish }, body });

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

  it.each([{ aloud: false }, { aloud: null }, undefined, {}])("do not stream for %j", async (body) => {
    const headers = { accept: "text/event-stream" };
    const faulty = body?.aloud === null;
    const expected = faulty ? { status: 422 } : { status: 200, body: { words: "Emma Woodhouse" } };
    expect(await call(`POST /books/${bookId}/read`, { body, headers })).toMatchObject(expected);
  });
});

describe("keys", () => {
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
    ["a list", [{ title: "Emma" }], bad("This must be an object.", null)],
    ["malformed JSON", '{"title":}', bad(notJson, null, "json_invalid")],
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

  it("include those too deep", async () => {
    const nested = (depth: number) => ({
      body: `{"title":"Emma","more":${"[".repeat(depth)}"]]"${"]".repeat(depth)}}`,
    });
    expect((await call("POST /books", nested(99))).status).toBe(200);
    expect(await call("POST /books", nested(100))).toMatchObject({
      status: 413,
      body: { error: { title: "The request body is nested deeper than 100 levels." } },
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
