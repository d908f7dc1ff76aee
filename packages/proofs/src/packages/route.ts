import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { createInferenceClient, StreamError, type ChatMessage } from "@trainyard/inference";
import { text } from "node:stream/consumers";
import OpenAI from "openai";

/** The address of a route that passes on the streams of a service. */
export type Route = (service: string) => Promise<{ readonly url: string; readonly close: () => unknown }>;

const chunk = (content: string, finish_reason: string | null = null) =>
  JSON.stringify({
    id: "c1",
    object: "chat.completion.chunk",
    created: 1,
    model: "demo/tiny",
    choices: [{ index: 0, delta: { content }, finish_reason }],
  });
const secret = "secret-of-the-service";

/** What the service does for the last message. */
const answers: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  whole: (response) => response.end(`data: ${chunk("Hello")}\n\ndata: ${chunk("", "stop")}\n\ndata: [DONE]\n\n`),
  break: (response) => response.end(`data: ${chunk("Hel")}\n\ndata: {"error":{"message":"${secret}"}}\n\n`),
  // A worker notices that its reader has left when it writes the next event.
  talk: (response) => {
    const timer = setInterval(() => response.write(`data: ${chunk("Hel")}\n\n`), 100);
    response.on("close", () => clearInterval(timer));
  },
};

/** Reads the sample route with `openai`, with our own client and without a client, in the runtime that serves it. */
export async function checkRoute(serve: Route): Promise<void> {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const service = createServer(async (request, response) => {
    const { messages } = JSON.parse(await text(request));
    const answer = answers[messages.at(-1).content];
    const headers = { "set-cookie": secret, "content-type": answer ? "text/event-stream" : "application/json" };
    response.on("close", () => response.writableEnded || end());
    response.writeHead(answer ? 200 : 429, headers);
    if (answer) answer(response);
    else response.end(JSON.stringify({ error: { message: secret } }));
  });
  await once(service.listen(0, "127.0.0.1"), "listening");
  const route = await serve(`http://127.0.0.1:${Object(service.address()).port}`);
  try {
    const body = (content: string) => ({
      model: "demo/tiny",
      messages: [{ role: "user", content }] satisfies ChatMessage[],
      stream: true as const,
    });
    const openai = new OpenAI({ baseURL: route.url, apiKey: "none", maxRetries: 0 });
    const own = createInferenceClient({ baseUrl: route.url, apiKey: null, maxRetries: 0 });
    const read = async (stream: AsyncIterable<{ choices: { delta: { content?: string | null } }[] }>) => {
      let told = "";
      for await (const { choices } of stream) told += choices[0]?.delta.content ?? "";
      return told;
    };
    assert.equal(await read(await openai.chat.completions.create(body("whole"))), "Hello");
    assert.equal(await read(await own.chat.completions.create(body("whole"))), "Hello");
    await assert.rejects(async () => read(await openai.chat.completions.create(body("break"))), OpenAI.APIError);
    await assert.rejects(async () => read(await own.chat.completions.create(body("break"))), StreamError);

    const post = (content: string, signal?: AbortSignal) =>
      fetch(route.url, { method: "POST", body: JSON.stringify(body(content)), ...(signal && { signal }) });
    for (const [content, status] of [
      ["break", 200],
      ["refuse", 429],
    ] as const) {
      const response = await post(content);
      const told = (await response.text()) + JSON.stringify([...response.headers]);
      assert.equal(response.status, status);
      assert(/"error"/.test(told) && !told.includes(secret) && !told.includes("127.0.0.1"), told);
    }
    const malformed = await fetch(route.url, { method: "POST", body: "{" });
    assert.equal(malformed.status, 400);

    const leaving = new AbortController();
    const { headers, body: talk } = await post("talk", leaving.signal);
    assert.deepEqual(
      ["content-type", "cache-control", "x-accel-buffering", "content-encoding"].map((name) => headers.get(name)),
      ["text/event-stream", "no-cache", "no", null],
    );
    await talk?.getReader().read();
    leaving.abort();
    await ended;
  } finally {
    service.closeAllConnections();
    service.close();
    await route.close();
  }
}
