import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { StreamError } from "@trainyard/inference";
import { afterAll, expect, it } from "vitest";
import { temporaryFolder } from "./folders.ts";
import { listening, makeServer, send, sharedServer } from "./lib.ts";

const messages = [{ role: "user" as const, content: "hi" }];
const ask = { model: "big/one", messages };
const completion = {
  id: "c1",
  object: "chat.completion",
  created: 1,
  model: "big/one",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "hello", reasoning: null } }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const chunk = (content: string) =>
  `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "big/one", choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

type Answer = (request: { body: { model: string }; raw: IncomingMessage }, response: ServerResponse) => void;

/** How the chat server of this file handles a conversation. */
let answer: Answer = () => undefined;

const web = createServer(async (raw, response) => {
  response.setHeader("Content-Type", "application/json");
  const entry = { id: "big/one", object: "model", created: 1, owned_by: "us", permission: [] };
  if (raw.url === "/v1/models") {
    response.end(JSON.stringify({ object: "list", data: [entry] }));
    return;
  }
  let text = "";
  for await (const part of raw) text += part;
  answer({ body: JSON.parse(text), raw }, response);
});
const url = `http://127.0.0.1:${await listening(web)}/v1/`;
const server = sharedServer({ backend: { url, apiKey: "upstream-key" } });
const impatient = sharedServer({ backend: { url, apiKey: "upstream-key", timeoutMs: 400 } });
afterAll(() => {
  web.closeAllConnections();
  web.close();
});

/** Responds with a stream of one event that does not end. Resolves when its reader is gone. */
function beginStream(): Promise<void> {
  return new Promise((resolve) => {
    answer = (_, response) => {
      response.setHeader("Content-Type", "text/event-stream");
      response.write(chunk("a"));
      response.on("close", resolve);
    };
  });
}

it("forwards a conversation with its own key, and returns the response", async () => {
  let seen: { authorization: string | undefined; model: string } | undefined;
  answer = ({ body, raw }, response) => {
    seen = { authorization: raw.headers.authorization, model: body.model };
    response.end(JSON.stringify(completion));
  };
  const { inference, training } = server.clients("team-3");
  expect(await inference.chat.completions.create(ask)).toEqual(completion);
  expect(seen).toEqual({ authorization: "Bearer upstream-key", model: "big/one" });
  expect((await inference.models.list()).data).toEqual([
    { id: "big/one", object: "model", created: 1, owned_by: "us" },
  ]);
  // Many servers accept names that they do not list, so only they can reject a name.
  await inference.chat.completions.create({ ...ask, model: "no/such" });
  expect(seen?.model).toBe("no/such");
  // An untrained model uses its base model.
  await training.models.create({ project: "p", name: "m", base_model: "big/one" });
  await training.chat.completions.create({ ...ask, model: "artifact:///team-3/p/m:latest" });
  expect(seen?.model).toBe("big/one");
});

it("streams byte for byte, without delay", async () => {
  const parts = [chunk("a").slice(0, 20), chunk("a").slice(20) + chunk("b"), ": keep\r\n\r\n", "data: [DONE]\n\n"];
  let next: () => void = () => undefined;
  answer = (_, response) => {
    response.setHeader("Content-Type", "text/event-stream");
    const rest = [...parts];
    next = () => {
      const part = rest.shift();
      if (part === undefined) response.end();
      else response.write(part);
    };
    next();
  };
  const body = JSON.stringify({ ...ask, stream: true });
  const response = await send(server.connect("inference"), "/chat/completions", { body });
  let text = "";
  for await (const part of response.body ?? []) {
    text += new TextDecoder().decode(part);
    // Each part must be forwarded before the next one: the next part is sent only now.
    next();
  }
  expect(text).toBe(parts.join(""));
});

it("stops the sender when the reader stops", async () => {
  const stopped = beginStream();
  const stream = await server.clients().inference.chat.completions.create({ ...ask, stream: true });
  for await (const item of stream) {
    expect(item.choices[0]?.delta.content).toBe("a");
    break;
  }
  await stopped;
});

it("stops the sender when the caller aborts before the response", async () => {
  const requested = new Promise<ServerResponse>((resolve) => (answer = (_, response) => resolve(response)));
  const address = await server.listen({ port: 0 });
  const controller = new AbortController();
  const connection = { ...server.connect("training"), baseUrl: address, fetch };
  const call = send(connection, "/v1/chat/completions", { body: JSON.stringify(ask), signal: controller.signal });
  const stopped = once(await requested, "close");
  controller.abort();
  await expect(call).rejects.toThrow("aborted");
  await stopped;
});

it.each([
  [
    400,
    { error: { message: "too hot", param: "temperature" } },
    400,
    { error: { message: "temperature: too hot", param: "temperature" } },
  ],
  [404, { error: { message: "gone" } }, 404, { error: { message: "gone", code: "model_not_found" } }],
  [429, { detail: "slow down" }, 429, { error: { message: "slow down", code: "rate_limit_exceeded" } }],
  [401, {}, 503, { error: { code: "overloaded" } }],
  [500, "no JSON", 503, { error: { code: "overloaded" } }],
  [200, { hello: 1 }, 503, { error: { message: expect.stringContaining("not a completion") } }],
  [200, "no JSON", 503, { error: { message: expect.stringContaining("did not send JSON") } }],
])("maps the chat server's response %i %j", async (status, body, expected, error) => {
  answer = (_, response) => {
    response.writeHead(status, { "Retry-After": "9" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
  const found: unknown = await server
    .clients()
    .inference.chat.completions.create(ask)
    .catch((e: unknown) => e);
  expect(found).toMatchObject({ status: expected, body: error });
  if (status === 429) expect(found).toMatchObject({ headers: expect.any(Headers) });
});

it("stops waiting for a chat server after the timeout", async () => {
  answer = () => undefined;
  await expect(impatient.clients().training.chat.completions.create(ask)).rejects.toMatchObject({
    status: 503,
    body: { detail: expect.stringContaining("did not respond within 400 ms") },
  });
});

it("ends a stream on both sides after the timeout", async () => {
  const stopped = beginStream();
  const stream = await impatient.clients().inference.chat.completions.create({ ...ask, stream: true });
  await expect(stream.final()).rejects.toThrow(StreamError);
  await stopped;
});

const events = { "Content-Type": "text/event-stream" };
it.each([
  ["an event of its own", events, `${chunk("a")}event: error\ndata: {"message": "The engine died."}\n\n`],
  ["a chunk", events, `${chunk("a")}data: {"error": {"message": "The engine died.", "code": 500}}\n\n`],
  ["JSON with status 200", { "Content-Type": "application/json" }, '{"error": {"message": "The engine died."}}'],
  [
    "JSON as vLLM has it",
    { "Content-Type": "application/json" },
    '{"object": "error", "message": "The engine died.", "type": "x", "code": 400}',
  ],
])("delivers the error message to the reader of the stream: %s", async (_, headers, text) => {
  answer = (_request, response) => {
    response.writeHead(200, headers);
    response.end(text);
  };
  const { chat } = server.clients().inference;
  const streaming = async () => (await chat.completions.create({ ...ask, stream: true })).final();
  await expect(streaming()).rejects.toThrow("The engine died.");
});

it("says that a chat server cannot be reached and when to retry, and names it in the log alone", async () => {
  const reasons: unknown[] = [];
  const backend = { url: "http://127.0.0.1:9/v1" };
  const other = makeServer({ backend, log: ({ reason }) => reasons.push(reason) });
  const { chat, models } = other.clients().inference;
  for (const call of [() => chat.completions.create(ask), () => models.list()])
    await expect(call()).rejects.toMatchObject({
      status: 503,
      retryAfterMs: 5000,
      body: { error: { message: "The chat server cannot be reached." } },
    });
  expect(reasons).toEqual(Array(2).fill("The chat server at http://127.0.0.1:9/v1 cannot be reached."));
  await other.end();
});

it.each([301, 302, 303, 307, 308])("does not follow a redirect of the chat server with status %i", async (status) => {
  let requests = 0;
  const target = createServer((_, response) => {
    requests++;
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(completion));
  });
  const origin = `127.0.0.1:${await listening(target)}`;
  answer = (_, response) => {
    response.writeHead(status, { Location: `http://name:secret@${origin}/v1/chat/completions?key=secret` });
    response.end();
  };
  const reasons: (string | undefined)[] = [];
  const own = makeServer({ backend: { url }, log: ({ reason }) => reasons.push(reason) });
  const { inference, training } = own.clients();
  for (const call of [
    () => inference.chat.completions.create(ask),
    () => training.chat.completions.create(ask),
    async () => (await inference.chat.completions.create({ ...ask, stream: true })).final(),
  ]) {
    const error = await call().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ status: 503 });
    expect(JSON.stringify(error)).not.toContain("127.0.0.1");
  }
  expect(requests).toBe(0);
  expect(reasons).toHaveLength(3);
  for (const reason of reasons) {
    expect(reason).toContain(`redirect (${status}) to http://${origin}`);
    expect(reason).not.toContain("secret");
  }
  answer = (_, response) => response.end(JSON.stringify(completion));
  expect(await inference.chat.completions.create(ask)).toEqual(completion);
  await own.end();
  target.close();
});

it.each([
  "http://name:secret@127.0.0.1:9/v1",
  "https://secret@127.0.0.1:9/v1",
  "http://127.0.0.1:9/v1?key=secret",
  "file:///secret",
  "secret:8000/v1",
  "secret",
  "",
])("rejects %j as the address of a chat server, and does not repeat it", (wrong) => {
  const data = join(temporaryFolder(), "data");
  let message = "";
  try {
    makeServer({ data, backend: { url: wrong } });
  } catch (error) {
    message = String(error);
  }
  expect(message).toContain("--upstream");
  expect(message).not.toContain("secret");
  expect(existsSync(join(data, "keys.json"))).toBe(false);
});
