import { describe, expect, it, vi } from "vitest";
import { answering, demo, failure, rejection, streamed } from "../test/answering.ts";
import { passing, stopClock } from "../test/clock.ts";
import { operations, type paths } from "../test/demo-client.ts";
import { ConfigurationError, TimeoutError } from "./errors/index.ts";
import { createHttp } from "./http.ts";

const create = { name: "n", base_model: "b" };

describe("methods and calls by path", () => {
  it("send the same request", async () => {
    const { client, http, sent } = demo([200]);
    await client.models.create(create, { headers: { "x-a": "1" }, idempotencyKey: "k" });
    await http.POST("/v1/models", {
      body: create,
      headers: { "x-a": "1" },
      params: { header: { "Idempotency-Key": "k" } },
    });
    await http.POST("/v1/models", { body: create, headers: { "x-a": "1" }, idempotencyKey: "k" });
    expect(sent[1]).toEqual({ ...sent[0], init: expect.anything() });
    expect(sent[2]).toEqual({ ...sent[0], init: expect.anything() });
    for (const one of sent)
      expect(one).toMatchObject({
        url: "http://demo.test/v1/models",
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          authorization: "Bearer key-of-the-demo",
          "idempotency-key": "k",
        },
        init: { method: "POST", body: '{"name":"n","base_model":"b"}', redirect: "manual" },
      });
  });

  it.each(["", ".", ".."])("refuse the path parameter %j before anything is sent", async (id) => {
    const { client, http, sent } = demo([200]);
    const message = expect.stringContaining("models.checkpoints.list: the path parameter model_id");
    const path = { params: { path: { model_id: id } } };
    expect(await rejection(client.models.checkpoints.list(id))).toMatchObject({ name: "ConfigurationError", message });
    expect(await rejection(http.GET("/v1/models/{model_id}/checkpoints", path))).toMatchObject({
      name: "ConfigurationError",
      message,
    });
    expect(sent).toEqual([]);
  });
});

describe("http", () => {
  const at = { params: { path: { model_id: "m1" } } };

  it("returns data or error by the status, never by the form of the body", async () => {
    const { http } = demo(
      [
        203,
        () => Response.json({ detail: "no" }, { status: 404, headers: { "x-request-id": "r" } }),
        () => new Response("", { status: 500 }),
      ],
      { maxRetries: 0 },
    );
    const get = () => http.GET("/v1/models/{model_id}", at);
    expect(await get()).toMatchObject({ data: { id: "m1" }, response: { status: 203 } });
    const { error, response } = await get();
    expect([error, response.status, response.headers.get("x-request-id")]).toEqual([{ detail: "no" }, 404, "r"]);
    const empty = await get();
    expect(empty.response.ok).toBe(false);
    // As openapi-fetch has it: the text of a body that is not JSON.
    expect(empty.error).toBe("");
  });

  it("retries by the rules of the operation, with the same body", async () => {
    const { http, sent } = demo([503, 200]);
    const made = await passing(() => http.POST("/v1/models", { body: create, idempotencyKey: "k" }));
    expect(made.data).toMatchObject({ id: "m1" });
    expect(sent.map(({ init }) => init.body)).toEqual(Array(2).fill('{"name":"n","base_model":"b"}'));
    const other = demo([503, 200]);
    expect((await other.http.POST("/v1/models", { body: create })).response.status).toBe(503);
    expect(other.sent).toHaveLength(1);
  });

  it("takes the options of a call: maxRetries, timeoutMs, totalTimeoutMs, idempotencyKey, fetchOptions", async () => {
    const { http, sent } = demo([503], { fetchOptions: { dispatcher: 1 } });
    await http.GET("/v1/models/{model_id}", { ...at, maxRetries: 0, fetchOptions: { extra: 2 }, cache: "no-store" });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.init).toMatchObject({ dispatcher: 1, extra: 2, cache: "no-store" });
    const clock = stopClock();
    for (const limit of ["timeoutMs", "totalTimeoutMs"]) {
      const { http } = demo([() => new Promise(() => {})], { maxRetries: 0 });
      const late = rejection(http.GET("/v1/models/{model_id}", { ...at, [limit]: 50 }));
      await clock.pass(51);
      expect(await late).toMatchObject({ name: "TimeoutError", operation: "models.get" });
    }
    expect(await rejection(http.GET("/v1/models/{model_id}", { ...at, idempotencyKey: "k" }))).toBeInstanceOf(
      ConfigurationError,
    );
    expect(await rejection(http.GET("/v1/models/{model_id}", { ...at, timeoutMs: -1 }))).toBeInstanceOf(
      ConfigurationError,
    );
  });

  it.each([
    ["204", () => new Response(null, { status: 204 })],
    ["205", () => new Response(null, { status: 205 })],
    ["200 without a body", () => new Response("")],
  ])("throws at a %s, since each operation declares a body", async (_, answer) => {
    const { client, http } = demo([answer]);
    const error = { name: "DecodeError", attempts: 1, operation: "models.get" };
    expect(await rejection(client.models.get("m1"))).toMatchObject(error);
    expect(await rejection(http.GET("/v1/models/{model_id}", at))).toMatchObject(error);
  });

  it("parses a body as `parseAs` says", async () => {
    const { http } = demo([() => new Response('{"id":"m1"}')]);
    expect((await http.GET("/v1/models/{model_id}", { ...at, parseAs: "text" })).data).toBe('{"id":"m1"}');
    expect((await http.GET("/v1/models/{model_id}", { ...at, parseAs: "json" })).data).toEqual({ id: "m1" });
    const { data } = await http.GET("/v1/models/{model_id}", { ...at, parseAs: "stream" });
    expect(await new Response(data).text()).toBe('{"id":"m1"}');
  });

  it("parses an answer once, and a body only for validators, a toggle or a condition", async () => {
    const { http } = demo([() => new Response('{"id":"m1"}', { headers: { "content-length": "11" } })]);
    const parse = vi.spyOn(JSON, "parse");
    await http.POST("/v1/models", { body: create, headers: { "idempotency-key": "k" } });
    expect(parse.mock.calls).toEqual([['{"id":"m1"}']]);
    parse.mockRestore();
  });

  it("applies an operation's rules to an alias of its path, and sends no key to unknown operations", async () => {
    const { fetch, sent } = answering(200);
    const http = createHttp<{
      "/v1/chat/completions/": paths["/v1/chat/completions"];
      "/v1/unknown": paths["/v1/check"];
    }>(
      { name: "demo", contractVersion: "1", timeout: 60 },
      { baseUrl: "http://demo.test", apiKey: "k", fetch },
      operations,
    );
    await http.POST("/v1/chat/completions/", { body: { model: "m", messages: [] } });
    expect(sent[0]).toMatchObject({
      url: "http://demo.test/v1/chat/completions/",
      headers: { authorization: "Bearer k" },
    });
    await http.GET("/v1/unknown");
    expect(sent[1]?.headers).not.toHaveProperty("authorization");
  });

  describe("with middleware of openapi-fetch", () => {
    it("applies its changes without seeing the key, and keeps the call's options on the changed request", async () => {
      const { http, sent } = demo([503]);
      http.use({
        onRequest: ({ request }) => {
          expect(JSON.stringify([...request.headers])).not.toContain("key-of-the-demo");
          request.headers.set("x-added", "1");
        },
        onResponse: ({ response }) => new Response(response.body, { status: 418 }),
      });
      const { response } = await http.GET("/v1/models/{model_id}", { ...at, maxRetries: 0 });
      expect(response.status).toBe(418);
      expect(sent).toHaveLength(1);
      expect(sent[0]?.headers).toMatchObject({ "x-added": "1" });
    });

    it.each([
      ["as openapi-fetch made it", (request: Request) => request, {}],
      ["replaced", (request: Request) => new Request(request), {}],
      ["of the caller's class", (request: Request) => request, { Request }],
    ])("sends the body, the signal and the settings of a request that is %s", async (_, onRequest, own) => {
      const names: string[] = [];
      const { http, sent } = demo([200], {
        middleware: [(request, next, { name }) => (names.push(`${name} ${request.body}`), next(request))],
      });
      http.use({ onRequest: ({ request }) => onRequest(request) });
      const controller = new AbortController();
      const init = { body: create, cache: "no-store", signal: controller.signal, ...own } as const;
      for (const [type, body] of [
        ["application/json", '{"a":1}'],
        ["text/xml", "<a/>"],
        ["image/png", new Blob(["png"])],
        ["application/octet-stream", new TextEncoder().encode("bytes")],
      ] as const) {
        await http.POST("/v1/models", { ...init, headers: { "content-type": type }, bodySerializer: () => body });
        const last = sent.at(-1)?.init;
        expect(last).toMatchObject({ cache: "no-store", method: "POST" });
        expect(last?.headers.get("content-type")).toBe(type);
        expect(await new Response(last?.body).text()).toBe(await new Response(body).text());
      }
      expect(names.map((name) => name.split(" ")[0])).toEqual(Array(4).fill("models.create"));
      expect(names[0]).toBe('models.create {"a":1}');
      controller.abort("enough");
      expect(await rejection(http.POST("/v1/models", init))).toMatchObject({ name: "AbortError", cause: "enough" });
    });

    it("receives the engine's errors", async () => {
      const { http } = demo([failure("ECONNREFUSED")], { maxRetries: 0 });
      const errors: unknown[] = [];
      http.use({ onError: ({ error }) => void errors.push(error) });
      await rejection(http.GET("/v1/models/{model_id}", at));
      expect(errors).toEqual([expect.objectContaining({ name: "ConnectionError", code: "ECONNREFUSED" })]);
    });
  });

  describe("streams", () => {
    const ask = { body: { model: "m", messages: [], stream: true }, parseAs: "stream" } as const;

    /** A stream of one event, which then falls silent. */
    const silent = (): { answer: () => Response; state: { cancelled: boolean } } => {
      const state = { cancelled: false };
      const body = () =>
        new ReadableStream({
          start: (to) => to.enqueue(new TextEncoder().encode("data: {}\n\n")),
          cancel: () => void (state.cancelled = true),
        });
      return { answer: () => new Response(body(), { headers: { "content-type": "text/event-stream" } }), state };
    };

    async function read(data: ReadableStream<Uint8Array> | null | undefined): Promise<void> {
      for await (const _ of data ?? []);
    }

    it("request events, and are returned as they arrive", async () => {
      const { http, sent } = demo([() => streamed("data: 1\n\n", "data: [DONE]\n\n")]);
      const { data } = await http.POST("/v1/chat/completions", ask);
      expect(sent[0]?.headers["accept"]).toBe("text/event-stream");
      expect(await new Response(data).text()).toBe("data: 1\n\ndata: [DONE]\n\n");
    });

    it("fail if no data arrives for too long", async () => {
      const clock = stopClock();
      const { answer, state } = silent();
      const { http } = demo([answer]);
      const { data } = await http.POST("/v1/chat/completions", { ...ask, timeoutMs: 100 });
      const late = rejection(read(data));
      await clock.pass(101);
      expect(await late).toBeInstanceOf(TimeoutError);
      expect(state.cancelled).toBe(true);
    });

    it("end with the signal of the call", async () => {
      const { answer, state } = silent();
      const { http } = demo([answer]);
      const controller = new AbortController();
      const { data } = await http.POST("/v1/chat/completions", { ...ask, signal: controller.signal });
      const aborted = rejection(read(data));
      controller.abort("enough");
      expect(await aborted).toMatchObject({ name: "AbortError", cause: "enough" });
      expect(state.cancelled).toBe(true);
    });

    it("are cancelled by their reader", async () => {
      const { answer, state } = silent();
      const { data } = await demo([answer]).http.POST("/v1/chat/completions", ask);
      await data?.cancel();
      expect(state.cancelled).toBe(true);
    });
  });
});

it("finds the operation whose path has the most literal text, and its parameters", async () => {
  const seen: unknown[] = [];
  const paths = {
    "/b/{id}": { id: "a b" },
    "/b/{id}.json": { id: "1" },
    "/b/{id}..{to}": { id: "1", to: "2" },
    "/b/all": {},
    "/b/{id}/c": { id: "a/b" },
    "/b/{id}/{part.x}": { id: "1", "part.x": "é" },
  };
  const operations = Object.keys(paths).map((path) => ({ name: path, method: "GET", path }) as const);
  const http = createHttp<Record<string, { get: { parameters: { path: object }; responses: object } }>>(
    { name: "demo", contractVersion: "1", timeout: 10 },
    {
      baseUrl: "http://demo.test/base",
      fetch: async () => Response.json({}),
      middleware: [(request, next, { name, pathParams }) => (seen.push([name, pathParams]), next(request))],
    },
    operations,
  );
  for (const [path, given] of Object.entries(paths)) await http.GET(path, { params: { path: given } });
  expect(seen).toEqual(Object.entries(paths));
});
