import { getEventListeners } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { createDemoClient } from "../test/demo-client.ts";
import { type Answering, demo, failure, rejection } from "../test/answering.ts";
import { passing, stopClock } from "../test/clock.ts";
import { serve } from "../test/server.ts";
import { AbortError, ConfigurationError, TimeoutError } from "./errors/index.ts";

const apiKey = "key-of-the-demo";
const never = (): Promise<Response> => new Promise(() => {});
const hold = { maxRetries: 0, timeoutMs: 40 };

describe("timeout", () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ["the wait for headers", () => {}],
    ["a body that stalls", (response) => void response.writeHead(200).write('{"id":')],
    [
      "a body that never ends",
      (response) => {
        response.writeHead(200);
        const writeNext = (): void => {
          if (!response.destroyed) response.write(" ".repeat(1000), () => setTimeout(writeNext, 1));
        };
        writeNext();
      },
    ],
    ["the body of an error", (response) => void response.writeHead(400).write("{")],
  ])("covers %s", async (_, act) => {
    const { url } = await serve((_, response) => act(response));
    const error = await rejection(createDemoClient({ baseUrl: url, apiKey, ...hold }).models.get("m1"));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ message: `models.get: the call to ${url} took too long (timeoutMs: 40).` });
  });

  it("limits a `fetch` that ignores the signal, and cancels its late response", async () => {
    const clock = stopClock();
    let late: (response: Response) => void = () => {};
    let cancelled = false;
    const { client } = demo([() => new Promise<Response>((resolve) => (late = resolve))], hold);
    const error = rejection(client.models.get("m1"));
    await clock.pass(41);
    expect(await error).toBeInstanceOf(TimeoutError);
    late(new Response(new ReadableStream({ cancel: () => void (cancelled = true) })));
    await clock.pass(1);
    expect(cancelled).toBe(true);
  });

  it.each([
    ["models.get", 60_000],
    ["models.create", 600_000],
  ])("is the contract's limit for %s: %i ms", async (name, limit) => {
    const clock = stopClock();
    const { client } = demo([never], { maxRetries: 0 });
    let ended = false;
    const call = name === "models.get" ? client.models.get("m1") : client.models.create({ name: "n", base_model: "b" });
    const error = rejection(call).finally(() => (ended = true));
    await clock.pass(limit - 1);
    expect(ended).toBe(false);
    await clock.pass(1);
    expect(await error).toMatchObject({ name: "TimeoutError", operation: name });
  });

  it("restarts for each attempt, and the call's overrides the client's", async () => {
    const { client, sent } = demo([never, never, 200], { timeoutMs: 1000 });
    expect(await passing(() => client.models.get("m1", { timeoutMs: 50 }))).toMatchObject({ id: "m1" });
    expect(sent).toHaveLength(3);
  });

  it("sets outcomeUnknown on an operation that must not be retried", async () => {
    const { client, sent } = demo([never], { timeoutMs: 50 });
    const error = await passing(() => rejection(client.check()));
    expect(error).toMatchObject({ name: "TimeoutError", outcomeUnknown: true, attempts: 1 });
    expect(sent).toHaveLength(1);
  });

  it("accepts Infinity as no limit, and rejects invalid values", async () => {
    const clock = stopClock();
    const { client } = demo([never]);
    let ended = false;
    client.models.get("m1", { timeoutMs: Infinity }).then(null, () => (ended = true));
    await clock.pass(2 ** 31);
    expect(ended).toBe(false);
    for (const timeoutMs of [0, -1, NaN])
      expect(await rejection(client.models.get("m1", { timeoutMs }))).toBeInstanceOf(ConfigurationError);
    expect(() => demo([200], { maxRetries: -1 })).toThrow("maxRetries");
  });
});

describe("totalTimeoutMs", () => {
  it("limits all attempts and the waits between them", async () => {
    const clock = stopClock();
    const { client, sent } = demo([500, never]);
    const start = clock.now();
    const error = await passing(() => rejection(client.models.get("m1", { totalTimeoutMs: 2000 })));
    expect(error).toMatchObject({ name: "TimeoutError", attempts: 2 });
    expect(clock.now() - start).toBeCloseTo(2000, -1);
    expect(sent).toHaveLength(2);
  });

  it("does not wait for an attempt that would start too late", async () => {
    const clock = stopClock();
    const { client } = demo([new Response("{}", { status: 503, headers: { "retry-after": "5" } })]);
    const error = await rejection(client.models.get("m1", { totalTimeoutMs: 3000 }));
    expect(error).toMatchObject({ name: "ServerError", attempts: 1, retryAfterMs: 5000 });
    expect(clock.now()).toBeLessThan(3000);
  });

  it("limits the reading of a stream", async () => {
    const clock = stopClock();
    const slow = new ReadableStream<Uint8Array>({
      pull: async (body) => {
        await new Promise((done) => setTimeout(done, 300));
        body.enqueue(new TextEncoder().encode(": still here\n"));
      },
    });
    const { client } = demo([() => new Response(slow, { headers: { "content-type": "text/event-stream" } })]);
    const stream = await client.chat.completions.create(
      { model: "m", messages: [], stream: true },
      { totalTimeoutMs: 1000 },
    );
    const error = rejection(stream.final());
    await clock.pass(1100);
    expect(await error).toBeInstanceOf(TimeoutError);
  });
});

describe("abort", () => {
  it("ends a call at once, with the reason as cause", async () => {
    const { client } = demo([never]);
    const controller = new AbortController();
    const error = rejection(client.models.get("m1", { signal: controller.signal }));
    controller.abort("enough");
    expect(await error).toMatchObject({ name: "AbortError", cause: "enough", operation: "models.get" });
  });

  it("sends nothing if it was aborted before", async () => {
    const { client, sent } = demo([200]);
    expect(await rejection(client.models.get("m1", { signal: AbortSignal.abort() }))).toBeInstanceOf(AbortError);
    expect(sent).toHaveLength(0);
  });

  it("ends the wait for the next attempt", async () => {
    const clock = stopClock();
    const { client, sent } = demo([failure("ECONNRESET")]);
    const controller = new AbortController();
    const error = rejection(client.models.get("m1", { signal: controller.signal }));
    await clock.pass(10);
    controller.abort();
    expect(await error).toMatchObject({ name: "AbortError", attempts: 1 });
    expect(vi.getTimerCount()).toBe(0);
    await clock.toEnd();
    expect(sent).toHaveLength(1);
  });

  it("ends the wait for the body", async () => {
    const { url } = await serve((_, response) => void response.writeHead(200).write('{"id":'));
    const client = createDemoClient({ baseUrl: url, apiKey });
    const controller = new AbortController();
    const error = rejection(client.models.get("m1", { signal: controller.signal }));
    setTimeout(() => controller.abort(), 20);
    expect(await error).toBeInstanceOf(AbortError);
  });

  it.each<[string, [Answering, ...Answering[]]]>([
    ["an answer", [200]],
    ["an error", [404]],
    ["an answer after an error", [503, 200]],
    ["an answer after a connection that failed", [failure("ECONNRESET"), 200]],
    ["a connection that failed", [failure("ECONNRESET")]],
    ["an attempt that took too long", [never]],
    ["an answer after a 401", [401]],
    ["a body that is not JSON", [() => new Response("<html>")]],
  ])("leaves no listener and no timer behind %s", async (_, answers) => {
    const clock = stopClock();
    const { signal } = new AbortController();
    const { client } = demo(answers, { timeoutMs: 60_000, apiKey: () => "key-of-the-demo" });
    const state = { ended: false };
    client.models
      .get("m1", { signal })
      .catch(() => {})
      .finally(() => (state.ended = true));
    while (!state.ended) await clock.pass(100);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
