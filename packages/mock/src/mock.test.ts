import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { caller } from "../test/call.ts";
import { bookId, library } from "../test/library.ts";
import { startMock, type Mock } from "./index.ts";
import { serviceNames } from "./services.ts";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock({ documents: { library } });
});
afterAll(() => mock.close());

/** The response to bytes that no client sends. */
async function raw(...lines: string[]): Promise<string> {
  const socket = connect(mock.port, "127.0.0.1");
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  let text = "";
  for await (const part of socket) text += String(part);
  return text;
}

it("serves all services at one port, each at its address", async () => {
  expect(mock.addresses).toMatchObject({
    training: mock.url,
    inference: `${mock.url}/inference/v1`,
    auxiliary: `${mock.url}/auxiliary`,
    library: `${mock.url}/library`,
  });
  for (const name of ["training", "inference", "auxiliary", "library"]) {
    expect(mock.connect(name)).toMatchObject({ baseUrl: mock.addresses[name], apiKey: "mock-key" });
  }
  expect(() => mock.connect("museum")).toThrow('The mock has no service "museum".');
});

/** The response at a path of the port. */
async function at(path: string): Promise<unknown> {
  return (await caller({ ...mock.connect("training"), baseUrl: mock.url })(`GET ${path}`)).body;
}

it("responds in the form of the service at the path", async () => {
  const none = (path: string) => expect.stringContaining(`No operation matches GET ${path}.`);
  expect(await at("/nothing")).toEqual({ detail: none("/nothing") });
  expect(await at("/inference/v1/nothing")).toMatchObject({ error: { message: none("/inference/v1/nothing") } });
  expect(await at("/inference")).toEqual({ detail: none("/inference") });
  expect(await at("/auxiliary/nothing")).toMatchObject({ reason: none("/auxiliary/nothing") });
  expect(await at("/library/books")).toMatchObject([{ title: "Emma" }]);
  expect(await at("/librarybooks")).toMatchObject({ detail: expect.any(String) });
});

it("streams in chunks over the wire", async () => {
  const head = ["Host: a", "Content-Type: application/json", "Content-Length: 14", "Connection: close"];
  const answer = await raw(`POST /library/books/${bookId}/read HTTP/1.1`, ...head, "", '{"aloud":true}');
  const [, body] = /transfer-encoding: chunked[^]*?\r\n\r\n([^]*)$/i.exec(answer) ?? [];
  expect(body).toBe(
    ["c", "data: Emma\n\n", "11", "data: Woodhouse\n\n", "d", "data: [END]\n\n", "0", "", ""].join("\r\n"),
  );
});

it("plans responses, and records requests", async () => {
  const controls = mock.service("library");
  controls.reset();
  const call = caller(mock.connect("library"));
  controls.once("books.list", { disconnect: true });
  controls.once("books.list", { status: 503 });
  await expect(call("GET /books")).rejects.toThrow(TypeError);
  expect((await call("GET /books")).status).toBe(503);
  expect(controls.requests("books.list")).toHaveLength(2);
  controls.reset();
});

it("rejects a body that is too large, and serves the next request on the connection", { tags: ["long"] }, async () => {
  const call = caller(mock.connect("library"));
  expect(await call("POST /books", { body: new Blob([new Uint8Array(2 ** 27 + 1)]) })).toMatchObject({
    status: 413,
    body: { error: { title: "The request body is larger than 134217728 bytes." } },
  });
  expect((await call("POST /books", { body: { title: "Emma" } })).status).toBe(200);
  expect((await call("POST /nothing", { body: "x".repeat(1_000_000) })).status).toBe(404);
});

it("answers requests that no client sends", async () => {
  const host = "Host: a";
  const close = "Connection: close";
  expect(await raw("GET http://evil.example/library/books?limit=0 HTTP/1.1", host, close)).toMatch(/^HTTP\/1.1 422 /);
  expect(await raw("TRACE /library/books HTTP/1.1", host, close)).toMatch(/^HTTP\/1.1 405 [^]*allow: GET, HEAD, POST/i);
  expect(await raw("HEAD /library/books HTTP/1.1", host, close)).toMatch(/^HTTP\/1.1 200 [^]*\r\n\r\n$/);
  expect(await raw("GET /library/books HTTP/1.1", host, close, `x-long: ${"x".repeat(20_000)}`)).toMatch(
    /^HTTP\/1.1 431 /,
  );
  expect(await raw("GET /library/books HTTP/1.1", host, "authorization: Bearer \xff", close)).toMatch(
    /^HTTP\/1.1 200 /,
  );
});

it("uses another port if one is taken", async () => {
  await using other = await startMock({ port: mock.port });
  expect(other.port).not.toBe(mock.port);
  await expect(startMock({ host: "256.0.0.1" })).rejects.toThrow("256.0.0.1");
});

it("replaces documents on the same port, without dropping running requests", async () => {
  await using other = await startMock({ documents: { library, inference: undefined } });
  expect(Object.keys(other.addresses)).toEqual([...serviceNames.filter((name) => name !== "inference"), "library"]);
  const { port } = other;
  other.service("library").delay(20);
  const before = caller(other.connect("library"))("GET /books");
  while (other.service("library").requests().length === 0) await new Promise((resolve) => setImmediate(resolve));
  other.reload({ library: { ...library, paths: { "/shelves": library.paths["/books"] } } });
  expect(other.port).toBe(port);
  expect(other.service("library").requests()).toEqual([]);
  expect((await before).status).toBe(200);
  const call = caller(other.connect("library"));
  expect((await call("GET /shelves")).status).toBe(200);
  expect((await call("GET /books")).status).toBe(404);
  expect((await caller(other.connect("training"))("GET /v1/health")).status).toBe(200);
  other.reload({ library: undefined });
  expect(() => other.connect("library")).toThrow('The mock has no service "library".');
  expect((await call("GET /shelves")).status).toBe(404);
});

it("closes with running requests", async () => {
  const other = await startMock();
  other.service("training").delay(60_000);
  const pending = caller(other.connect("training"))("GET /v1/health");
  pending.catch(() => {});
  while (other.service("training").requests().length === 0) await new Promise((resolve) => setImmediate(resolve));
  await other.close();
  await expect(pending).rejects.toThrow(TypeError);
});
