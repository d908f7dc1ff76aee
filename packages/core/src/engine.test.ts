import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { answering, demo, rejection } from "../test/answering.ts";
import {
  createDemoClient,
  operations,
  type DemoClient,
  type paths,
  service as demoService,
} from "../test/demo-client.ts";
import { engineOf } from "../test/engine-of.ts";
import { ConfigurationError, NotFoundError, UnprocessableError } from "./errors/index.ts";
import { createHttp } from "./http.ts";
import { clientOf } from "./methods.ts";
import type { Middleware } from "./middleware.ts";
import type { KeyedCallOptions } from "./options.ts";
import { version } from "./version.ts";

const create = { name: "n", base_model: "b" };
const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

describe("methods", () => {
  it.each([
    ["a body with a cycle", { extraBody: cyclic }, "the body cannot be written as JSON: Converting circular"],
    ["a body with a BigInt", { extraBody: { n: 1n } }, "the body cannot be written as JSON: Do not know how"],
    ["a header that cannot be sent", { headers: { "x-note": "my\npayload" } }, 'the header "x-note" has'],
    ["a header beyond Latin-1", { headers: { "x-note": "my payload ☕" } }, 'the header "x-note" has'],
    ["a query of half a letter", { extraQuery: { q: "\ud800" } }, "the query parameter q cannot be encoded"],
    ["an object in a query", { extraQuery: { q: {} as string } }, "the query parameter q cannot be an object"],
  ])("reject %s with an error that names it, and send nothing", async (_, options: KeyedCallOptions, message) => {
    const { client, sent } = demo([200]);
    const error = await rejection(client.models.create(create, options));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ operation: "models.create", attempts: 0 });
    expect(String(error)).toContain(`models.create: ${message}`);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("payload");
    expect(Object(error).cause instanceof TypeError).toBe("extraBody" in options);
    expect(sent).toEqual([]);
  });

  it("name an option of the client that cannot be sent", async () => {
    const { client } = demo([200], { project: "☕" });
    const error = await rejection(client.chat.completions.create({ model: "m", messages: [] }));
    expect(String(error)).toContain('chat.completions.create: the header "Compat-Project" has');
  });

  it.each([undefined, null, 1])("send a body of %s, and leave its validation to the service", async (body) => {
    const { client } = demo([422]);
    // @ts-expect-error no body
    expect(await rejection(client.chat.completions.create(body))).toBeInstanceOf(UnprocessableError);
  });

  it("use the current global fetch if no other is given", async () => {
    const client = createDemoClient({ baseUrl: "http://demo.test", apiKey: "k" });
    const global = vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ id: "global" }));
    expect(await client.models.get("m1")).toEqual({ id: "global" });
    global.mockRestore();
  });
});

describe("options", () => {
  it("are copied when a client is created, so later changes have no effect", async () => {
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

  it("can add what the contract does not declare: extraBody, extraQuery, headers", async () => {
    const { client, sent } = demo([200], { headers: { "x-client": "1", "x-both": "client" } });
    await client.models.create(create, {
      extraBody: { name: "over", more: { deep: true } },
      extraQuery: { q: "a b", list: [1, "é"], none: undefined, no: null },
      headers: { "x-both": "call", "X-Client": null, Accept: "application/vnd.own" },
    });
    expect(sent[0]).toMatchObject({
      url: "http://demo.test/v1/models?q=a%20b&list=1&list=%C3%A9",
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

  it("is not sent by a client that names no header for it", async () => {
    const { fetch, sent } = answering(200);
    const { identity: _, ...unnamed } = demoService;
    const options = { baseUrl: "http://demo.test", apiKey: "k", fetch };
    await clientOf<DemoClient>(unnamed, options, ...operations).models.get("m1");
    await createHttp<paths>(unnamed, options, operations).GET("/v1/models/{model_id}", {
      params: { path: { model_id: "m1" } },
    });
    for (const { headers } of sent) expect(JSON.stringify(headers)).not.toMatch(/trainyard|core\//);
    expect(sent).toHaveLength(2);
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

const notes = {
  "notes.export": { method: "GET", path: "/notes.csv", accept: "text/csv, application/json" },
} as const;
const service = { name: "demo", contractVersion: "1.0.0", timeout: 60, operations: notes };

it("returns a text answer unchanged, and throws an error response", async () => {
  const { fetch, sent } = answering(
    new Response("a,b\r\n1,2\r\n"),
    Response.json({ detail: "Gone." }, { status: 404 }),
  );
  const { call } = engineOf(service, {
    baseUrl: "http://demo",
    fetch,
    maxRetries: 0,
  });
  expect(await call("notes.export", undefined)).toBe("a,b\r\n1,2\r\n");
  expect(sent[0]?.headers["accept"]).toBe("text/csv, application/json");
  expect(await rejection(call("notes.export", undefined))).toBeInstanceOf(NotFoundError);
});
