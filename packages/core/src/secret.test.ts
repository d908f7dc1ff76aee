import { inspect } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createDemoClient, createDemoHttp, type DemoClientOptions } from "../test/demo-client.ts";
import { type Answering, answering, demo, failure, rejection, streamed } from "../test/answering.ts";
import { passing } from "../test/clock.ts";
import { json, serve } from "../test/server.ts";
import { ConfigurationError } from "./errors/index.ts";
import type { LogFacts } from "./logger.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const canary = "canary-key-0123456789";
const payload = "canary-words";

/** Everything that a program could print about a value. */
function printed(value: unknown): string {
  const texts = [
    inspect(value, { depth: Infinity, showHidden: true, getters: true }),
    String(value),
    JSON.stringify(value),
  ];
  if (value instanceof Error)
    texts.push(value.stack ?? "", value.message, inspect(value.cause, { depth: Infinity, showHidden: true }));
  return texts.join("\n");
}

describe("secrets: the canary", () => {
  const faults: [string, Answering][] = [
    ["an answer", () => Response.json({ id: "m1" })],
    ["400", () => Response.json({ detail: "no" }, { status: 400 })],
    ["401 that repeats the key", () => Response.json({ detail: `Wrong key ${canary}` }, { status: 401 })],
    ["500 of text that repeats the key", () => new Response(`Bearer ${canary}`, { status: 500 })],
    [
      "422 that repeats the body",
      () => Response.json({ detail: [{ loc: ["body"], msg: "no", type: "x", input: payload }] }, { status: 422 }),
    ],
    ["a key in a header", () => new Response("{}", { status: 404, headers: { "x-echo": `Bearer ${canary}` } })],
    ["a key behind 200", () => Response.json({ error: canary }, { headers: { "x-echo": canary } })],
    ["a key in a stream's error", () => streamed(`data: {"error": {"message": "Wrong key ${canary}"}}\n\n`)],
    ["a reset connection", failure("ECONNRESET")],
    ["200 of HTML that repeats the body", () => new Response(`<p>${payload}`)],
    ["a circular redirect", () => new Response(null, { status: 307, headers: { location: "/again" } })],
    ["a stream that is not JSON", () => streamed(`data: ${payload}\n\n`)],
    ["a stream that breaks", () => streamed("data: {}\n\n")],
  ];

  it.each(faults)("shows key and payload nowhere after %s", async (_, answer) => {
    const lines: unknown[] = [];
    const line = (message: string, facts: LogFacts): void => void lines.push(message, facts);
    const logger = { error: line, warn: line, info: line, debug: line };
    const { client, http } = demo([answer], { apiKey: canary, maxRetries: 0, logger, logLevel: "debug" });
    const headers = { "x-private": payload };
    const calls = [
      client.models.create(
        { name: payload, base_model: "b" },
        { headers, extraQuery: { q: payload }, extraBody: { more: payload } },
      ),
      client.models.get("m1"),
      http.POST("/v1/models", { body: { name: payload, base_model: "b" } }),
      client.chat.completions.create({ model: payload, messages: [], stream: true }).then((stream) => stream.final()),
      (async () => {
        for await (const item of client.models.checkpoints.list("m1")) lines.push(item);
      })(),
    ];
    const results = await Promise.allSettled(calls);
    for (const seen of [client, http, ...results, ...calls, lines]) expect(printed(seen)).not.toContain(canary);
    const errors = results.map((result) => result.status === "rejected" && result.reason);
    for (const seen of [client, lines, ...errors.map((error) => [error])]) {
      // The issues of a 422 are the service's words, available through getters: `getters` reads all of them.
      expect(inspect(seen, { depth: Infinity, showHidden: true })).not.toContain(payload);
    }
    expect(lines.length).toBeGreaterThan(5);
  });

  it("shows the key in no member that a program can reach", () => {
    const { client } = demo([200], { apiKey: canary, accessToken: `${canary}-token` });
    const seen = new Set<unknown>();
    const walk = (value: unknown): void => {
      if (value === canary) throw new Error("The key can be reached.");
      if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return;
      seen.add(value);
      for (const key of Reflect.ownKeys(value)) {
        const { value: member } = Object.getOwnPropertyDescriptor(value, key) ?? {};
        walk(member);
      }
    };
    walk(client);
    expect(seen.size).toBeGreaterThan(10);
    expect(printed(client)).not.toContain(canary);
    expect(client.models.get.toString()).not.toContain(canary);
  });

  it("does not show a key that is invalid in a header", async () => {
    const { client, sent } = demo([200], { apiKey: `${canary}\nx` });
    const error = await rejection(client.models.get("m1"));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(printed(error)).not.toContain("canary");
    expect(sent).toHaveLength(0);
  });
});

describe("secrets: which key is sent", () => {
  it("is the option, else the environment variable, without a trailing line break", async () => {
    vi.stubEnv("TRAINYARD_API_KEY", "from-environment\n");
    const { fetch, sent } = answering(200);
    await createDemoClient({ baseUrl: "http://demo.test", fetch }).models.get("m1");
    await createDemoClient({ baseUrl: "http://demo.test", fetch, apiKey: "from-option" }).models.get("m1");
    expect(sent.map(({ headers }) => headers.authorization)).toEqual(["Bearer from-environment", "Bearer from-option"]);
  });

  it("is the access token if the operation accepts one, else the API key", async () => {
    const own = demo([200], { accessToken: "token-1" });
    await own.client.models.delete("m1");
    await own.client.models.get("m1");
    expect(own.sent.map(({ headers }) => headers.authorization)).toEqual(["Bearer token-1", "Bearer key-of-the-demo"]);
    const without = demo([200]);
    await without.client.models.delete("m1");
    expect(without.sent[0]?.headers.authorization).toBe("Bearer key-of-the-demo");
    vi.stubEnv("TRAINYARD_ACCESS_TOKEN", "token-2");
    const variable = demo([200]);
    await variable.client.models.delete("m1");
    expect(variable.sent[0]?.headers.authorization).toBe("Bearer token-2");
  });

  it("is the caller's own if a header contains it", async () => {
    const { client, sent } = demo([503, 200]);
    await passing(() => client.models.get("m1", { headers: { Authorization: "Basic x" } }));
    expect(sent.map(({ headers }) => headers.authorization)).toEqual(["Basic x", "Basic x"]);
  });

  it("is requested for each attempt, and once more after a 401", async () => {
    let count = 0;
    const apiKey = async (): Promise<string> => `key-${++count}`;
    const { client, sent } = demo([401, 503, 200], { apiKey });
    await passing(() => client.models.get("m1"));
    expect(sent.map(({ headers }) => headers.authorization)).toEqual(["Bearer key-1", "Bearer key-2", "Bearer key-3"]);
    const refused = demo([401], { apiKey, maxRetries: 0 });
    expect(await rejection(refused.client.check())).toMatchObject({ name: "UnauthorizedError", attempts: 2 });
    expect(refused.sent).toHaveLength(2);
  });

  const closed = (): never => {
    throw new Error("the vault is closed");
  };

  it.each([
    ["rejects", async () => closed()],
    ["throws", closed],
  ])("fails with an error and its cause if its function %s", async (_, apiKey) => {
    const { client, sent } = demo([200], { apiKey });
    expect(await rejection(client.models.get("m1"))).toMatchObject({
      name: "ConfigurationError",
      message: "models.get: the function for the key failed.",
      cause: { message: "the vault is closed" },
      operation: "models.get",
      attempts: 0,
      outcomeUnknown: false,
    });
    expect(sent).toHaveLength(0);
  });

  it("reports the attempts if its function fails after a 401", async () => {
    let calls = 0;
    const apiKey = (): string => (calls++ > 0 ? closed() : "key-1");
    const { client, sent } = demo([401, 200], { apiKey });
    expect(await rejection(client.models.get("m1"))).toMatchObject({ name: "ConfigurationError", attempts: 1 });
    expect(sent).toHaveLength(1);
  });
});

describe("secrets: a redirect", () => {
  const options: DemoClientOptions = { apiKey: canary, project: "team/p", headers: { "x-own": "own" } };

  it("to another origin loses the key and the program's headers, and keeps method and body", async () => {
    const other = await serve((_, response) => json(response, { id: "m1" }));
    const first = await serve(
      (request, response) => void response.writeHead(307, { location: `${other.url}${request.url}` }).end(),
    );
    const client = createDemoClient({ baseUrl: first.url, ...options });
    await client.models.create({ name: "n", base_model: "b" }, { idempotencyKey: "k" });
    expect(first.received[0]?.headers).toMatchObject({ authorization: `Bearer ${canary}`, "x-own": "own" });
    expect(other.received[0]).toMatchObject({
      method: "POST",
      url: "/v1/models",
      body: '{"name":"n","base_model":"b"}',
    });
    expect(JSON.stringify(other.received[0]?.headers)).not.toMatch(/canary|own|team|idempotency|trainyard/);
  });

  const methods = ["GET", "POST", "DELETE"] as const;
  const cases = [301, 302, 303, 307, 308].flatMap((status) => methods.map((method) => [status, method] as const));

  it.each(cases)("with %i never changes %s", async (status, method) => {
    const { url, received } = await serve((request, response) => {
      if (request.url?.startsWith("/moved")) json(response, { id: "m1" });
      else response.writeHead(status, { location: "/moved?q=private", "x-request-id": "r-1" }).end();
    });
    const client = createDemoClient({ baseUrl: url, ...options });
    const http = createDemoHttp({ baseUrl: url, ...options });
    const path = { params: { path: { model_id: "m1" } } };
    const body = { name: "n", base_model: "b" };
    const calls = {
      GET: [() => client.models.get("m1"), () => http.GET("/v1/models/{model_id}", path)],
      POST: [() => client.models.create(body), () => http.POST("/v1/models", { body })],
      DELETE: [() => client.models.delete("m1"), () => http.DELETE("/v1/models/{model_id}", path)],
    };
    for (const call of calls[method]) {
      received.length = 0;
      const outcome = await call().then(
        () => "done",
        (error: unknown) => error,
      );
      if (outcome === "done") {
        expect(received.map((request) => request.method)).toEqual([method, method]);
        expect(received[1]?.headers).toMatchObject({ authorization: `Bearer ${canary}`, "x-own": "own" });
        expect(received[1]?.body).toBe(received[0]?.body);
      } else {
        expect([status < 304, method]).not.toEqual([true, "GET"]);
        const expected = { name: "ConfigurationError", attempts: 1, outcomeUnknown: method === "POST" };
        expect(outcome).toMatchObject({ ...expected, status, requestId: "r-1" });
        expect(String(outcome)).toMatch(
          new RegExp(`${url}/v1/models\\S* answered ${status}, .* ${url}/moved, .*set \`baseUrl\``),
        );
        expect(String(outcome)).not.toContain("private");
        expect(received).toHaveLength(1);
      }
      expect(outcome === "done").toBe(status > 304 || method === "GET");
    }
  });

  it.each([
    ["ECONNREFUSED", "ConnectionError", "no connection to http://other.test, to which"],
    ["ECONNRESET", "ConnectionError", "no response from http://other.test, to which"],
    ["bad port", "ConfigurationError", "the runtime blocks the port of http://other.test, to which"],
  ])("to an address that fails (%s) was sent before", async (code, name, message) => {
    const location = "http://other.test/a";
    const moved = (): Response => new Response(null, { status: 307, headers: { location } });
    const broken = name === "ConnectionError" ? failure(code) : new TypeError("fetch failed", { cause: Error(code) });
    const { client, sent } = demo([moved, broken]);
    const error = await rejection(client.models.create({ name: "n", base_model: "b" }));
    expect(error).toMatchObject({ name, attempts: 1, outcomeUnknown: true });
    expect(String(error)).toContain(`models.create: ${message} http://demo.test/v1/models redirects`);
    expect(sent).toHaveLength(2);
  });

  it("to a malformed address is a response, which is not retried", async () => {
    const moved = (): Response => new Response(null, { status: 302, headers: { location: `http://[${canary}` } });
    const { client, sent } = demo([moved], { apiKey: canary });
    const error = await rejection(client.models.get("m1"));
    const message = "models.get: http://demo.test/v1/models/m1 redirects to a malformed address: check `baseUrl`";
    expect(error).toMatchObject({ name: "ConfigurationError", message, status: 302 });
    expect(sent).toHaveLength(1);
  });

  it("without an address leaves open what the service did", async () => {
    const { client, sent } = demo([new Response(null, { status: 303 })]);
    const error = await rejection(client.models.create({ name: "n", base_model: "b" }));
    expect(error).toMatchObject({ name: "ApiError", status: 303, outcomeUnknown: true });
    expect(sent).toHaveLength(1);
  });

  it("without an end is refused, with its addresses", async () => {
    const { url, received } = await serve((_, response) => void response.writeHead(307, { location: "/again" }).end());
    const error = await rejection(createDemoClient({ baseUrl: url, ...options, maxRetries: 0 }).models.get("m1"));
    expect(error).toMatchObject({
      name: "ConfigurationError",
      message: `models.get: too many redirects: ${url}/v1/models/m1, ${url}/again: check \`baseUrl\``,
    });
    expect(received).toHaveLength(6);
  });

  it.each([
    ["http://demo.test", "file:///home/me/secret.json?q=1", "file:///home/me/secret.json"],
    ["http://demo.test", `data:application/json,"${canary}"#${payload}`, 'data:application/json,"[key]"'],
    ["http://demo.test", `ftp://me:${payload}@files.test/${payload}`, "ftp://files.test"],
    ["https://demo.test", `http://me:${payload}@demo.test/${payload}?key=${payload}`, "http://demo.test"],
  ])("from %s to %s is refused, by methods and by path", async (from, location, to) => {
    const moved = (): Response => new Response(null, { status: 307, headers: { location } });
    const { client, http, sent } = demo([moved], { ...options, baseUrl: from });
    const body = { name: "n", base_model: "b" };
    for (const call of [() => client.models.create(body), () => http.POST("/v1/models", { body })]) {
      const error = await rejection(call());
      expect(error).toMatchObject({ name: "ConfigurationError", attempts: 1, outcomeUnknown: true });
      expect(String(error)).toContain(`${from} redirects to ${to}, neither`);
      expect(String(error)).toContain("baseUrl");
      expect(printed(error)).not.toMatch(/canary/);
    }
    expect(sent.map(({ url }) => url)).toEqual([`${from}/v1/models`, `${from}/v1/models`]);
  });

  it("from http to https, and on to https, is followed", async () => {
    const { client, sent } = demo([
      new Response(null, { status: 307, headers: { location: "https://demo.test/a" } }),
      new Response(null, { status: 307, headers: { location: "https://other.test/b" } }),
      200,
    ]);
    await client.models.get("m1");
    expect(sent.map(({ url }) => url).slice(1)).toEqual(["https://demo.test/a", "https://other.test/b"]);
  });

  it("is cancelled by the engine with its body", async () => {
    let cancelled = false;
    const body = new ReadableStream({ cancel: () => void (cancelled = true) });
    const { client } = demo([() => new Response(body, { status: 307, headers: { location: "/moved" } }), 200]);
    await client.models.get("m1");
    expect(cancelled).toBe(true);
  });
});

describe("secrets: in a browser", () => {
  it.each([{ document: {} }, { importScripts: () => {} }])(
    "a key needs to be allowed by name (%o)",
    async (globals) => {
      for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
      expect(() => demo([200])).toThrow("allowKeyInBrowser");
      expect(() => demo([200], { apiKey: null })).not.toThrow();
      const { client, sent } = demo([200], { allowKeyInBrowser: true });
      await client.models.get("m1");
      expect(sent[0]?.headers.authorization).toBe("Bearer key-of-the-demo");
      // A browser follows redirects itself, and removes the key.
      expect(sent[0]?.init.redirect).not.toBe("manual");
    },
  );
});
