import { request as nodeRequest } from "node:http";
import { text } from "node:stream/consumers";
import { createTrainingClient } from "@trainyard/training";
import { expect, it } from "vitest";
import { serveSettings } from "../src/cli/serve-settings.ts";
import { readContracts } from "../src/http/documents.ts";
import { makeServer, send, sharedServer, until } from "./lib.ts";

const server = sharedServer({ limits: { bodyBytes: 2000, bodyDepth: 10, headerBytes: 1000, requests: 3 } });
const [training, inference, auxiliary] = ["training", "inference", "auxiliary"].map((name) => server.connect(name));
if (!training || !inference || !auxiliary) throw new Error("A service is missing.");
const errorOf = async (response: Response): Promise<unknown> => ({
  status: response.status,
  body: await response.json(),
});

it("rejects requests without a key, for every operation of every document", async () => {
  const keyless = { ...training, apiKey: "" };
  for (const { document } of readContracts()) {
    for (const { method, path, security } of document.operations) {
      const response = await send(keyless, `${document.prefix}${path.replaceAll(/\{\w+\}/g, "x")}`, { method });
      const open = security.length === 0 || security.some((schemes) => schemes.length === 0);
      expect([method, path, response.status === 401]).toEqual([method, path, !open]);
    }
  }
  expect(server.violations()).toEqual([]);
});

it("checks the key before the rest of the request", async () => {
  for (const connection of [training, inference, auxiliary]) {
    const path =
      connection === training ? "/v1/preview/models" : connection === inference ? "/chat/completions" : "/obj/read";
    const response = await send({ ...connection, apiKey: "wrong" }, path, { body: "{" });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
  }
});

it("accepts the key as the password of the user api if the document says so", async () => {
  const body = JSON.stringify({ project_id: "a/b", object_id: "o", digest: "latest" });
  const basic = (pair: string) => ({ Authorization: `Basic ${btoa(pair)}` });
  const status = async (path: string, pair: string) =>
    (await send(auxiliary, path, { body, headers: basic(pair) })).status;
  expect(await status("/obj/read", `api:${auxiliary.apiKey}`)).toBe(404);
  expect(await status("/obj/read", `root:${auxiliary.apiKey}`)).toBe(401);
  expect(await status("/obj/read", "api:")).toBe(401);
  const hardware = await send(auxiliary, "/inference/vendor/v2/hardware?model=a", {
    headers: basic(`api:${auxiliary.apiKey}`),
  });
  expect(hardware.status).toBe(401);
});

it("returns errors in the form of each service", async () => {
  expect(await errorOf(await send(training, "/v1/preview/models", { body: "{" }))).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ["body"], type: "json_invalid" }] },
  });
  expect(await errorOf(await send(inference, "/chat/completions", { body: "{" }))).toMatchObject({
    status: 400,
    body: { error: { code: "json_invalid", type: "invalid_request_error", param: null } },
  });
  expect(await errorOf(await send(auxiliary, "/inference/vendor/v2/hardware"))).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ["query", "model"], type: "missing" }] },
  });
  expect(await errorOf(await send(training, "/nothing"))).toEqual({
    status: 404,
    body: { detail: expect.any(String) },
  });
  expect(await errorOf(await send(inference, "/nothing"))).toMatchObject({
    status: 404,
    body: { error: { code: "unknown_url" } },
  });
  expect(await errorOf(await send(auxiliary, "/nothing"))).toMatchObject({
    status: 404,
    body: { reason: expect.any(String) },
  });
});

it("lists the methods of a path", async () => {
  const response = await send(training, "/v1/preview/models/x/checkpoints", { method: "PATCH" });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, DELETE"]);
  const head = await send(training, "/v1/health", { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

it("gives every response a request id", async () => {
  const ids = new Set<string | null>();
  for (const path of ["/v1/health", "/v1/preview/models", "/nothing"]) {
    ids.add((await send(training, path)).headers.get("x-request-id"));
  }
  expect(ids.size).toBe(3);
  expect(ids.has(null)).toBe(false);
});

it("rejects bodies that are too large or too deep, and too many headers", async () => {
  const deep = JSON.stringify({ project: "[".repeat(50) });
  expect((await send(training, "/v1/preview/models", { body: deep })).status).toBe(422);
  const cases = [
    [training, "/v1/preview/models", "detail"],
    [inference, "/chat/completions", "error"],
    [auxiliary, "/obj/read", "reason"],
  ] as const;
  for (const [connection, path, key] of cases) {
    for (const body of [JSON.stringify("x".repeat(2000)), `${"[".repeat(11)}${"]".repeat(11)}`]) {
      expect(await errorOf(await send(connection, path, { body }))).toMatchObject({
        status: 413,
        body: { [key]: expect.anything() },
      });
    }
    const headers = { "x-long": "x".repeat(1000) };
    expect(await errorOf(await send(connection, path, { body: "{}", headers }))).toMatchObject({
      status: 431,
      body: { [key]: expect.anything() },
    });
  }
});

it("names each limit with its value and its option", async () => {
  server.fault({ operation: "models.listBase", times: 3, delayMs: 50 });
  const slow = [1, 2, 3].map(() => send(training, "/v1/preview/base-models"));
  const models = (body: string, headers = {}) => send(training, "/v1/preview/models", { body, headers });
  const answers = {
    "request-limit": [429, "More than 3 requests are running (--request-limit). Wait for some of them to finish."],
    "body-limit": [413, "The request body is larger than 2000 bytes (--body-limit)."],
    "depth-limit": [413, "The request body is nested deeper than 10 levels (--depth-limit)."],
    "header-limit": [431, "The headers are larger than 1000 bytes (--header-limit)."],
  };
  const found: Record<keyof typeof answers, Response> = {
    "request-limit": await send(training, "/v1/preview/base-models"),
    "body-limit": await Promise.all(slow).then(() => models(`"${"x".repeat(2000)}"`)),
    "depth-limit": await models("[".repeat(20) + "]".repeat(20)),
    "header-limit": await models("{}", { "x-long": "x".repeat(1000) }),
  };
  for (const [name, [status, detail]] of Object.entries(answers))
    expect(await errorOf(found[name as keyof typeof answers])).toEqual({ status, body: { detail } });
  // That of a trainer's log refuses nothing.
  const options = Object.keys(serveSettings).filter((name) => name.endsWith("-limit") && name !== "trainer-log-limit");
  expect(options.toSorted()).toEqual(Object.keys(answers).toSorted());
});

it("limits the requests in progress", async () => {
  server.fault({ operation: "models.listBase", times: 3, delayMs: 50 });
  const slow = [1, 2, 3].map(() => send(training, "/v1/preview/base-models"));
  const refused = await send(inference, "/models");
  // Health checks are answered nevertheless.
  expect((await send(training, "/v1/health")).status).toBe(200);
  expect(await errorOf(refused)).toMatchObject({ status: 429, body: { error: { code: "rate_limit_exceeded" } } });
  expect(refused.headers.get("retry-after")).toBe("1");
  for (const response of slow) expect((await response).status).toBe(200);
  expect((await send(inference, "/models")).status).toBe(200);
});

it("leaves a place to others while they wait, and none is taken by bodies that are half sent", async () => {
  const own = makeServer({ limits: { requests: 4 } });
  const url = await own.listen({ port: 0 });
  const [a, b] = [0, 1].map((at) => ({ Authorization: `Bearer ${own.keys[at]?.key}` }));
  const models = (headers: Record<string, string> = {}) => fetch(`${url}/inference/v1/models`, { headers });
  const chat = JSON.stringify({ model: "demo/tiny", messages: [{ role: "user", content: "hi" }], stream: true });
  const open = [];
  const half = (headers: Record<string, string> = {}) => {
    const all = { ...headers, "Content-Type": "application/json", "Content-Length": "100" };
    const request = nodeRequest(`${url}/v1/preview/models`, { method: "POST", headers: all });
    const answer = new Promise<unknown[]>((resolve) => {
      request.on("error", () => resolve([]));
      request.on("response", async (response) =>
        resolve([response.statusCode, JSON.parse(await text(response)).detail]),
      );
    });
    request.write("{");
    return { request, answer };
  };
  const sending = Array.from({ length: 5 }, () => half(a));
  // The fifth body of one entity is refused, and the others keep nobody from anything.
  expect(await Promise.race(sending.map(({ answer }) => answer))).toEqual([
    429,
    "More than 4 bodies are being sent with keys of one entity (--request-limit). Finish some of them.",
  ]);
  expect([(await models(a)).status, (await models(b)).status]).toEqual([200, 200]);
  const stream = async (entity = "") => send(own.connect("inference", entity), "/chat/completions", { body: chat });
  const [ofA, ofB] = own.keys.map(({ entity }) => entity);
  for (const { request } of sending) request.destroy();
  open.push(await until(async () => [await stream(ofA)].find(({ ok }) => ok)));
  while (open.length < 4) open.push(await stream(ofA));
  expect((await models(b)).status).toBe(429);
  const more = "requests of one entity are running while others wait, which is half of all";
  for (const one of open.splice(0, 2)) await one.body?.cancel();
  // Two are free, and only who waited gets them.
  expect(await errorOf(await stream(ofA))).toMatchObject({
    status: 429,
    body: { error: { message: `More than 2 ${more} (--request-limit). Wait for some of them to finish.` } },
  });
  open.push(await stream(ofB));
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const one of open) await one.body?.cancel();
  await own.end();
});

it("counts a stream as in progress until it is read or canceled", async () => {
  const body = JSON.stringify({ model: "demo/tiny", messages: [{ role: "user", content: "hi" }], stream: true });
  const streams = [];
  for (let index = 0; index < 3; index++) streams.push(await send(inference, "/chat/completions", { body }));
  expect((await send(inference, "/models")).status).toBe(429);
  await streams[0]?.text();
  expect((await send(inference, "/models")).status).toBe(200);
  for (const response of streams.slice(1)) await response.body?.cancel();
  expect((await send(inference, "/models")).status).toBe(200);
});

it("allows pages of this machine, and no others", async () => {
  const ask = (origin: string, method: string) =>
    send(training, "/v1/preview/models", {
      method,
      headers: {
        Origin: origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "idempotency-key",
      },
    });
  const preflight = await ask("http://localhost:3000", "OPTIONS");
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-origin")).toBe("http://localhost:3000");
  expect(preflight.headers.get("access-control-allow-headers")).toBe("idempotency-key");
  expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
  const answer = await send(training, "/v1/health", { headers: { Origin: "http://127.0.0.1:5173" } });
  expect(answer.headers.get("access-control-expose-headers")).toContain("x-request-id");
  const foreign = await ask("https://example.org", "OPTIONS");
  expect(foreign.headers.get("access-control-allow-origin")).toBeNull();
});

it("applies planned faults as often as planned", async () => {
  server.fault({ operation: "models.create", status: 503, headers: { "Retry-After": "7" }, times: 2 });
  const create = () =>
    send(training, "/v1/preview/models", {
      body: JSON.stringify({ project: "p", name: "faults", base_model: "demo/tiny" }),
    });
  for (let index = 0; index < 2; index++) {
    const response = await create();
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "7"]);
  }
  expect((await create()).status).toBe(200);
  server.fault({ operation: "training health.check", cut: true });
  await expect((await send(training, "/v1/health")).text()).rejects.toThrow("cut");
  server.fault({ operation: "inference models.list", status: 402 });
  expect(await errorOf(await send(inference, "/models"))).toMatchObject({
    status: 402,
    body: { error: { type: "insufficient_quota" } },
  });
});

it("returns the same responses on a port, and finishes open requests before it closes", async () => {
  const own = makeServer();
  const url = await own.listen({ port: 0 });
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const client = createTrainingClient({ baseUrl: url, apiKey: own.keys[0]?.key ?? "", maxRetries: 0 });
  const model = await client.models.create({ project: "p", name: "n", base_model: "demo/tiny" });
  expect((await own.clients().training.models.checkpoints.list(model.id)).data).toHaveLength(1);
  own.fault({ operation: "health.check", delayMs: 100 });
  const slow = client.health.check();
  await until(async () => (await own.control.faults.list()).data.length === 0);
  const ended = own.end();
  expect(await slow).toEqual({ status: "ok" });
  await ended;
  await expect(client.health.check()).rejects.toThrow("health.check: no connection to");
});

it("rejects large headers on a port with an error of the contract", async () => {
  const own = makeServer();
  const url = await own.listen({ port: 0 });
  const status = await new Promise((resolve, reject) => {
    const request = nodeRequest(`${url}/v1/health`, { headers: { "x-long": "x".repeat(20_000) } }, (response) => {
      let text = "";
      response.on("data", (part) => (text += part)).on("end", () => resolve([response.statusCode, JSON.parse(text)]));
    });
    request.on("error", reject).end();
  });
  expect(status).toEqual([431, { detail: expect.stringContaining("16384") }]);
  await own.end();
});

it("keeps two servers of one process apart", async () => {
  const [a, b] = [makeServer(), makeServer()];
  const model = { project: "p", name: "n", base_model: "demo/tiny" };
  const first = await a.clients().training.models.create(model);
  expect((await b.clients().training.models.create(model)).id).not.toBe(first.id);
  await expect(b.clients().training.models.delete(first.id)).rejects.toMatchObject({ status: 404 });
  await a.end();
  expect(await b.clients().training.health.check()).toEqual({ status: "ok" });
  await b.end();
});

it("logs requests without their content", async () => {
  const entries: object[] = [];
  const own = makeServer({ log: (entry) => entries.push(entry) });
  const inner = own.connect("inference");
  await send(inner, "/models?secret=1", { headers: { "OpenAI-Project": "team/p" } });
  await until(async () => entries.length === 1);
  expect(entries[0]).toMatchObject({ method: "GET", path: "/inference/v1/models", status: 200, project: "team/p" });
  expect(JSON.stringify(entries)).not.toMatch(/secret|key-of-team/);
  await own.end();
});
