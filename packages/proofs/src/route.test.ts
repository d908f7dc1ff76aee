import { listen } from "@trainyard/host";
import { createInferenceClient } from "@trainyard/inference";
import { chatRoute } from "@trainyard/samples/routes/chat";
import { expect, it } from "vitest";
import { checkRoute } from "./packages/route.ts";

it("a route passes a stream on, tells no secret, and ends the request when the browser leaves, in Node", () =>
  checkRoute(async (service) => {
    const fetch = chatRoute(createInferenceClient({ baseUrl: service, apiKey: "a-key", maxRetries: 0 }));
    return listen({ fetch, unreadable: async () => new Response(null, { status: 400 }) }, { port: 0 });
  }));

it.each(["the body is cancelled", "the signal aborts"])("a route ends the request if only %s", async (way) => {
  let ended = false;
  const body = new ReadableStream({ cancel: () => void (ended = true) });
  const fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } });
  const inference = createInferenceClient({
    baseUrl: "http://mock.invalid",
    apiKey: "a-key",
    fetch,
  });
  const leaving = new AbortController();
  const request = { method: "POST", body: JSON.stringify({ messages: [] }), signal: leaving.signal };
  const response = await chatRoute(inference)(new Request("http://route.invalid", request));
  const reader = response.body?.getReader();
  const pending = reader?.read();
  await (way === "the signal aborts" ? leaving.abort() : reader?.cancel());
  await pending;
  expect(ended).toBe(true);
});
