import { expect, it } from "vitest";
import { caller } from "../test/call.ts";
import { bookId, library } from "../test/library.ts";
import { useMock } from "./vitest.ts";

const mock = useMock<"books.add" | "books.list" | "books.get" | "books.read">(library);
const call = caller(mock.connect());
const emma = { body: { title: "Emma" } };

it("uses a plan once, then responds as usual", async () => {
  mock.once("books.add", { status: 429, retryAfter: 1 });
  mock.once("books.add", { example: "long" });
  const first = await call("POST /books", emma);
  expect([first.status, first.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(await call("GET /books")).toMatchObject({ status: 200 });
  expect(await call("POST /books", emma)).toMatchObject({ status: 200, body: { pages: 900 } });
  expect(await call("POST /books", emma)).toMatchObject({ status: 200, body: { pages: 474 } });
});

it("plans any status, body and header", async () => {
  mock.once("books.add", { status: 502 });
  mock.once("books.add", { status: 500, body: "<h1>Oops</h1>", headers: { "content-type": "text/html" } });
  mock.once("books.add", { body: { title: 5 }, headers: { "x-more": "1" }, unchecked: true });
  mock.once("books.add", { body: "", unchecked: true });
  mock.once("books.add", { body: "{half", headers: { "content-type": "application/json" }, unchecked: true });
  expect(await call("POST /books")).toMatchObject({
    status: 502,
    body: { error: { title: "This answer of books.add was planned." } },
  });
  expect(await call("POST /books")).toMatchObject({ status: 500, body: "<h1>Oops</h1>" });
  const third = await call("POST /books", emma);
  expect([third.status, third.body, third.headers.get("x-more")]).toEqual([200, { title: 5 }, "1"]);
  expect(await call("POST /books", emma)).toMatchObject({ status: 200, body: "" });
  await expect(call("POST /books", emma)).rejects.toThrow(SyntaxError);
});

it("breaks the connection", async () => {
  mock.once("books.list", { disconnect: true });
  await expect(call("GET /books")).rejects.toMatchObject({ name: "TypeError", cause: { code: "ECONNRESET" } });
  expect((await call("GET /books")).status).toBe(200);
});

it("records requests, even rejected ones", async () => {
  await call("POST /books/?a=1&a=2", { ...emma, headers: { "x-trace": "t1" } });
  await call("POST /books", { body: "{nonsense" });
  await call(`GET /books/%30${bookId.slice(1)}`, { key: null });
  await call("GET /nothing");
  const [first, second, ...others] = mock.requests("books.add");
  expect(first).toMatchObject({ operation: "books.add", method: "POST", path: "/books/", body: { title: "Emma" } });
  expect(first?.query.getAll("a")).toEqual(["1", "2"]);
  expect(first?.headers.get("x-trace")).toBe("t1");
  expect(second?.body).toBeUndefined();
  expect(others).toEqual([]);
  expect(mock.requests("books.get")).toMatchObject([{ params: { id: bookId } }]);
  expect(mock.requests().map(({ operation }) => operation)).toEqual(["books.add", "books.add", "books.get"]);
});

it("was reset after the test before", () => {
  expect(mock.requests()).toEqual([]);
});

it("resets plans and delay", async () => {
  mock.once("books.list", { status: 500 });
  mock.delay(60_000);
  mock.reset();
  expect((await call("GET /books")).status).toBe(200);
});

it("delays responses, but not for aborted requests", async () => {
  mock.delay(60_000);
  const { baseUrl, fetch } = mock.connect();
  const reason = new Error("enough");
  const leaving = new AbortController();
  const answer = fetch(`${baseUrl}/books`, { signal: leaving.signal });
  leaving.abort(reason);
  await expect(answer).rejects.toBe(reason);
  await expect(fetch(`${baseUrl}/books`, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  mock.delay(0);
  mock.once("books.list", { delayMs: 15 });
  const start = performance.now();
  await call("GET /books", { headers: { prefer: "delay=15" } });
  expect(performance.now() - start).toBeGreaterThan(25);
});

it("ends an abandoned stream", async () => {
  const { baseUrl, fetch } = mock.connect();
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${baseUrl}/books/${bookId}/read`, { method: "POST", headers, body: '{"aloud":true}' });
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect(await reader?.read()).toEqual({ done: true, value: undefined });
});

it("lists the operations in the error for an unknown one", () => {
  // @ts-expect-error an unknown operation
  expect(() => mock.once("books.burn", { status: 200 })).toThrow(
    'There is no operation "books.burn". There are: books.list, books.add, newest, books.get, books.read.',
  );
});
