import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { events, rejection, streamed } from "../test/answering.ts";
import { ask, type ChatStream, chunk, endless, open, texts, whole } from "../test/chat-stream.ts";
import { stopClock } from "../test/clock.ts";
import { createDemoClient } from "../test/demo-client.ts";
import { serve } from "../test/server.ts";
import { AbortError, StreamError } from "./errors/index.ts";

describe("abandoning a stream", () => {
  it("by break cancels the request and leaves no listener", async () => {
    const { response, state } = endless();
    const { signal } = new AbortController();
    const stream = await open(response, { signal });
    for await (const _ of stream) break;
    expect(state.cancelled).toBe(true);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
    expect(await rejection(stream.final())).toBeInstanceOf(StreamError);
  });

  it("by a throw in the loop cancels it too", async () => {
    const { response, state } = endless();
    const stream = await open(response);
    const oops = new Error("oops");
    const loop = async (): Promise<void> => {
      for await (const _ of stream) throw oops;
    };
    expect(await rejection(loop())).toBe(oops);
    expect(state.cancelled).toBe(true);
  });

  it("by cancel, read or not", async () => {
    for (const started of [false, true]) {
      const { response, state } = endless();
      const { signal } = new AbortController();
      const stream = await open(response, { signal });
      const events = stream[Symbol.asyncIterator]();
      if (started) await events.next();
      await stream.cancel();
      expect(state.cancelled).toBe(true);
      expect(getEventListeners(signal, "abort")).toHaveLength(0);
      expect(await rejection(stream.final())).toBeInstanceOf(AbortError);
    }
  });

  it("ends the connection, as the server sees it", async () => {
    let closed: () => void = () => {};
    const gone = new Promise<void>((done) => (closed = done));
    const { url } = await serve((_, response) => {
      response.on("close", closed);
      response.writeHead(200, { "content-type": "text/event-stream" }).write(`data: ${JSON.stringify(chunk("x"))}\n\n`);
    });
    const client = createDemoClient({ baseUrl: url, apiKey: "key-of-the-demo" });
    for await (const _ of await client.chat.completions.create(ask)) break;
    await gone;
  });

  it("does not cost the connection where the stream was read to its end", async () => {
    const ports = new Set<unknown>();
    const { url } = await serve((_, response) => {
      ports.add(response.socket?.remotePort);
      response.writeHead(200, { "content-type": "text/event-stream" }).end(whole);
    });
    const client = createDemoClient({ baseUrl: url, apiKey: "key-of-the-demo" });
    for (let round = 0; round < 3; round++) {
      await (await client.chat.completions.create(ask)).final();
      await new Promise((done) => setImmediate(done));
    }
    expect(ports.size).toBe(1);
  });
});

describe("events that have arrived whole when a stream", () => {
  const hundred = events(...Array.from({ length: 100 }, (_, index) => chunk(String(index))));

  /** How many chunks a loop yields, and what it throws. `act` is called at each chunk with the number of chunks before it. */
  async function read(stream: ChatStream, act: (count: number) => void): Promise<{ count: number; error: unknown }> {
    let count = 0;
    const loop = async (): Promise<void> => {
      for await (const _ of stream) act(count++);
    };
    const error = await rejection(loop());
    return { count, error };
  }

  it("ends at abort()", async () => {
    const controller = new AbortController();
    const stream = await open(streamed(hundred), { signal: controller.signal });
    const { count, error } = await read(stream, (before) => before === 2 && controller.abort("enough"));
    expect(count).toBe(3);
    expect(error).toMatchObject({ name: "AbortError", cause: "enough" });
    expect(await rejection(stream.final())).toBe(error);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  it("ends at cancel()", async () => {
    const stream = await open(streamed(hundred));
    const { count, error } = await read(stream, (before) => before === 2 && void stream.cancel());
    expect(count).toBe(3);
    expect(error).toBeInstanceOf(AbortError);
  });

  it.each([
    ["within a piece", [hundred, events()]],
    [
      "between two pieces",
      Array.from({ length: 100 }, (_, index) => `data: ${JSON.stringify(chunk(String(index)))}\n\n`),
    ],
  ])("ends at totalTimeoutMs, %s, and arms no timer below zero", async (_, pieces) => {
    const clock = stopClock();
    const stream = await open(streamed(...pieces), { totalTimeoutMs: 300 });
    const events300 = read(stream, () => void vi.advanceTimersByTime(100));
    await clock.toEnd();
    const { count, error } = await events300;
    expect(count).toBe(3);
    expect(error).toMatchObject({ name: "TimeoutError", message: expect.stringContaining("totalTimeoutMs") });
    expect(Math.min(...clock.delays)).toBeGreaterThanOrEqual(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is complete if only its last event was unread at the limit", async () => {
    const clock = stopClock();
    const stream = await open(streamed(events(chunk("a"), chunk("", "stop"))), { totalTimeoutMs: 300 });
    const seen = texts(stream);
    await clock.pass(301);
    expect(await seen).toEqual(["a", ""]);
    expect((await stream.final()).choices[0]?.message.content).toBe("a");
  });
});
