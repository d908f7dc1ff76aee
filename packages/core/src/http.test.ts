import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { answering, demo, failure, rejection } from "../test/answering.ts";
import { createDemoClient, operations, type paths } from "../test/demo-client.ts";
import { ConfigurationError, ConnectionError, DecodeError, NotFoundError, UnprocessableError } from "./errors/index.ts";
import { createHttp } from "./http.ts";
import type { Middleware } from "./middleware.ts";
import type { KeyedCallOptions } from "./options.ts";
import { version } from "./version.ts";

const create = { name: "n", base_model: "b" };
const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

describe("seam: methods and http go one way", () => {
  it("sends the same request", async () => {
    const { client, sent } = demo([200]);
    await client.models.create(create, { headers: { "x-a": "1" }, idempotencyKey: "k" });
    await client.http.POST("/v1/models", {
      body: create,
      headers: { "x-a": "1" },
      params: { header: { "Idempotency-Key": "k" } },
    });
    await client.http.POST("/v1/models", { body: create, headers: { "x-a": "1" }, idempotencyKey: "k" });
    expect(sent[1]).toEqual({ ...sent[0], init: expect.anything() });
    expect(sent[2]).toEqual({ ...sent[0], init: expect.anything() });
    expect(sent[0]).toMatchObject({
      url: "http://demo.test/v1/models",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        authorization: "Bearer key-of-the-demo",
      },
      init: { method: "POST", body: '{"name":"n","base_model":"b"}' },
    });
  });

  it("gives data or error by the status, never by what the body looks like", async () => {
    const { client } = demo(
      [200, () => Response.json({ detail: "no" }, { status: 404 }), () => new Response("", { status: 500 })],
      { maxRetries: 0 },
    );
    const get = () => client.http.GET("/v1/models/{model_id}", { params: { path: { model_id: "m1" } } });
    expect(await get()).toMatchObject({ data: { id: "m1" }, response: { status: 200 } });
    expect(await get()).toMatchObject({ error: { detail: "no" }, response: { status: 404 } });
    const empty = await get();
    expect(empty.response.ok).toBe(false);
    expect(empty.error).toBeUndefined();
  });

  it("throws what is no answer", async () => {
    const get = (answer: Error | (() => Response)) =>
      demo([answer], { maxRetries: 0 }).client.http.GET("/v1/models/{model_id}", {
        params: { path: { model_id: "m1" } },
      });
    expect(await rejection(get(failure("ECONNREFUSED")))).toBeInstanceOf(ConnectionError);
    expect(await rejection(get(() => new Response("<html>")))).toBeInstanceOf(DecodeError);
  });

  it.each([
    ["204", () => new Response(null, { status: 204 })],
    ["205", () => new Response(null, { status: 205 })],
    ["200 without a body", () => new Response("")],
  ])("throws at a %s, since each operation declares a body", async (_, answer) => {
    const { client } = demo([answer]);
    const error = { name: "DecodeError", attempts: 1, operation: "models.get" };
    expect(await rejection(client.models.get("m1"))).toMatchObject(error);
    const path = { params: { path: { model_id: "m1" } } };
    expect(await rejection(client.http.GET("/v1/models/{model_id}", path))).toMatchObject(error);
    expect((await client.http.GET("/v1/models/{model_id}", { ...path, parseAs: "text" })).data).toBe("");
  });

  it("gives a body as it is asked for", async () => {
    const { client } = demo([() => new Response("[1]")]);
    const path = { params: { path: { model_id: "m1" } } };
    expect((await client.http.GET("/v1/models/{model_id}", { ...path, parseAs: "text" })).data).toBe("[1]");
    expect((await client.http.GET("/v1/models/{model_id}", { ...path, parseAs: "json" })).data).toEqual([1]);
    const { data } = await client.http.GET("/v1/models/{model_id}", { ...path, parseAs: "stream" });
    expect(await new Response(data).text()).toBe("[1]");
  });

  it("takes the options of fetch, and a fetch of its own", async () => {
    const { client, sent: none } = demo([500]);
    const { fetch, sent } = answering(200);
    await client.http.POST("/v1/models", {
      body: create,
      fetch,
      fetchOptions: { credentials: "include" },
      redirect: "error",
    });
    expect(sent[0]).toMatchObject({ init: { credentials: "include", redirect: "error" } });
    expect(none).toHaveLength(0);
  });

  it("obeys the rules of the operation at an alias of its path", async () => {
    const { fetch, sent } = answering(200);
    const http = createHttp<{ "/v1/chat/completions/": paths["/v1/chat/completions"] }>(
      { name: "demo", contractVersion: "1", timeout: 60, operations },
      { baseUrl: "http://demo.test", apiKey: "k", fetch },
    );
    await http.POST("/v1/chat/completions/", { body: { model: "m", messages: [] } });
    expect(sent[0]).toMatchObject({
      url: "http://demo.test/v1/chat/completions/",
      headers: { authorization: "Bearer k" },
    });
  });

  it("repeats the name of a list in a query, and leaves out what is null", async () => {
    const { fetch, sent } = answering(200);
    const client = createDemoClient({ baseUrl: "http://demo.test/base/", apiKey: "k", fetch });
    await client.models.get("m1", { extraQuery: { tag: ["a b", "é"], none: null, limit: 2 } });
    expect(sent[0]?.url).toBe("http://demo.test/base/v1/models/m1?tag=a%20b&tag=%C3%A9&limit=2");
  });

  it.each([
    ["a body with a cycle", { extraBody: cyclic }, "the body cannot be written as JSON: Converting circular"],
    ["a body with a BigInt", { extraBody: { n: 1n } }, "the body cannot be written as JSON: Do not know how"],
    ["a header that cannot be sent", { headers: { "x-note": "my\nwords" } }, 'the header "x-note" has'],
    ["a header beyond Latin-1", { headers: { "x-note": "my words ☕" } }, 'the header "x-note" has'],
    ["a query of half a letter", { extraQuery: { q: "\ud800" } }, "the query parameter q cannot be written"],
    ["an object in a query", { extraQuery: { q: {} as string } }, "the query parameter q cannot be an object"],
  ])("refuses %s by an error that names it, and sends nothing", async (_, options: KeyedCallOptions, message) => {
    const { client, sent } = demo([200]);
    const error = await rejection(client.models.create(create, options));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ operation: "models.create", attempts: 0 });
    expect(String(error)).toContain(`models.create: ${message}`);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("words");
    expect(Object(error).cause instanceof TypeError).toBe("extraBody" in options);
    expect(sent).toEqual([]);
  });

  it("names an option of the client that cannot be sent", async () => {
    const { client } = demo([200], { project: "☕" });
    const error = await rejection(client.chat.completions.create({ model: "m", messages: [] }));
    expect(String(error)).toContain('chat.completions.create: the header "Compat-Project" has');
  });

  it.each([undefined, null, 1])(
    "throws nothing at once where %s is given for a body, and leaves the verdict to the service",
    async (body) => {
      const { client } = demo([422]);
      // @ts-expect-error no body
      expect(await rejection(client.chat.completions.create(body))).toBeInstanceOf(UnprocessableError);
    },
  );

  it("uses the global fetch of the moment, where none is given", async () => {
    const client = createDemoClient({ baseUrl: "http://demo.test", apiKey: "k" });
    const global = vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ id: "global" }));
    expect(await client.models.get("m1")).toEqual({ id: "global" });
    global.mockRestore();
  });
});

describe("options", () => {
  it("are copied when a client is made: what changes afterwards changes no call", async () => {
    const { fetch, sent } = answering(500, 200);
    const headers: Record<string, string> = { "x-a": "1" };
    const middleware: Middleware[] = [];
    const fetchOptions: Record<string, string> = { cache: "no-store" };
    const options = {
      baseUrl: "http://demo.test",
      apiKey: "k",
      fetch,
      headers,
      middleware,
      fetchOptions,
      maxRetries: 0,
    };
    const client = createDemoClient(options);
    headers["x-a"] = "2";
    fetchOptions["cache"] = "reload";
    middleware.push(() => Promise.reject(new Error("added later")));
    Object.assign(options, { maxRetries: 5, timeoutMs: 1, project: "p", fetch: undefined, fetchOptions: {} });
    expect(await rejection(client.chat.completions.create({ model: "m", messages: [] }))).toMatchObject({
      attempts: 1,
    });
    expect(sent[0]).toMatchObject({ init: { cache: "no-store" }, headers: { "x-a": "1" } });
    expect(sent[0]?.headers).not.toHaveProperty("compat-project");
  });

  it("pass fetchOptions on to fetch, the call's over the client's, and nothing else", async () => {
    const dispatcher = {};
    const { client, sent } = demo([200], { fetchOptions: { dispatcher, cache: "no-store" } });
    await client.models.get("m1", { fetchOptions: { cache: "reload", method: "PUT" }, maxRetries: 1 });
    expect(Object.keys(sent[0]?.init ?? {}).sort()).toEqual(
      ["dispatcher", "cache", "method", "headers", "body", "redirect", "signal"].sort(),
    );
    expect(sent[0]?.init).toMatchObject({ method: "GET", cache: "reload" });
    expect(Reflect.get(sent[0]?.init ?? {}, "dispatcher")).toBe(dispatcher);
  });

  it("take what the contract does not declare: extraBody, extraQuery, headers", async () => {
    const { client, sent } = demo([200], { headers: { "x-client": "1", "x-both": "client" } });
    await client.models.create(create, {
      extraBody: { name: "over", more: { deep: true } },
      extraQuery: { q: "a b", list: [1, 2], none: undefined },
      headers: { "x-both": "call", "X-Client": null, Accept: "application/vnd.own" },
    });
    expect(sent[0]).toMatchObject({
      url: "http://demo.test/v1/models?q=a%20b&list=1&list=2",
      init: { body: '{"name":"over","base_model":"b","more":{"deep":true}}' },
      headers: { "x-both": "call", accept: "application/vnd.own" },
    });
    expect(sent[0]?.headers).not.toHaveProperty("x-client");
    expect(create).toEqual({ name: "n", base_model: "b" });
  });

  it("fill the headers that the contract gives them", async () => {
    const { client, sent } = demo([200], { project: "team/p" });
    await client.chat.completions.create({ model: "m", messages: [] });
    await client.chat.completions.create({ model: "m", messages: [] }, { headers: { "Compat-Project": "team/q" } });
    await client.models.get("m1");
    expect(sent.map(({ headers }) => headers["compat-project"])).toEqual(["team/p", "team/q", undefined]);
  });
});

describe("identity", () => {
  it("names package, contract and runtime, and can be turned off", async () => {
    const { client, sent } = demo([200]);
    await client.models.get("m1");
    expect(sent[0]?.headers["trainyard-client"]).toMatch(new RegExp(`^core/${version} demo/1\\.0\\.0 Node\\.js/\\d+`));
    const off = demo([200], { identity: false });
    await off.client.models.get("m1");
    expect(off.sent[0]?.headers).not.toHaveProperty("trainyard-client");
  });

  it("has the version of the package", async () => {
    const { default: manifest } = await import("../package.json", { with: { type: "json" } });
    expect(version).toBe(manifest.version);
  });

  it("is not sent from a browser, where it would cost a preflight", async () => {
    vi.stubGlobal("document", {});
    const { client, sent } = demo([200], { allowKeyInBrowser: true });
    vi.unstubAllGlobals();
    await client.models.get("m1");
    expect(sent[0]?.headers).not.toHaveProperty("trainyard-client");
  });
});

describe("withResponse", () => {
  it("gives data, response and request id, of one request", async () => {
    const { client, sent } = demo([() => Response.json({ id: "m1" }, { headers: { "x-request-id": "r-1" } })]);
    const promise = client.models.get("m1");
    const { data, response, requestId } = await promise.withResponse();
    expect(data).toBe(await promise);
    expect(response.status).toBe(200);
    expect(requestId).toBe("r-1");
    expect(sent).toHaveLength(1);
  });

  it("rejects as the promise does, and leaves no rejection unhandled", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const { client } = demo([404]);
    expect(await rejection(client.models.get("m1").withResponse())).toBeInstanceOf(NotFoundError);
    expect(await rejection(client.models.get("m1"))).toBeInstanceOf(NotFoundError);
    await new Promise((done) => setImmediate(done));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
