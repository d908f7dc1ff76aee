import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { demo, events, rejection, streamed } from "../test/answering.ts";
import { stopClock } from "../test/clock.ts";
import { type ChatCompletion, type ChatCompletionChunk, createDemoClient } from "../test/demo-client.ts";
import { serve, serveSockets } from "../test/server.ts";
import { AbortError, ConfigurationError, DecodeError, StreamError, TimeoutError } from "./errors/index.ts";
import type { StreamCallOptions } from "./options.ts";
import type { EventStream } from "./result.ts";

const chunk = (content: string, finish_reason: "stop" | null = null): ChatCompletionChunk => ({
  id: "c1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta: { content }, finish_reason }],
});

const whole = events(chunk("Hel"), chunk("lo"), chunk("", "stop"));
const ask = { model: "m", messages: [], stream: true } as const;

type ChatStream = EventStream<ChatCompletionChunk, ChatCompletion>;

async function open(response: Response, options?: StreamCallOptions): Promise<ChatStream> {
  return demo([() => response]).client.chat.completions.create(ask, options);
}

async function texts(stream: AsyncIterable<ChatCompletionChunk>): Promise<string[]> {
  const found: string[] = [];
  for await (const { choices } of stream) found.push(choices[0]?.delta.content ?? "");
  return found;
}

/** An endless body that records whether it was cancelled. */
function endless(): { response: Response; state: { cancelled: boolean } } {
  const state = { cancelled: false };
  const piece = new TextEncoder().encode(`data: ${JSON.stringify(chunk("x"))}\n\n`);
  const body = new ReadableStream({ pull: (to) => to.enqueue(piece), cancel: () => void (state.cancelled = true) });
  return { response: new Response(body, { headers: { "content-type": "text/event-stream" } }), state };
}

describe("streams", () => {
  it("gives each event, and then the whole answer", async () => {
    const stream = await open(streamed(whole));
    expect(await texts(stream)).toEqual(["Hel", "lo", ""]);
    const { choices } = await stream.final();
    expect(choices[0]?.message).toMatchObject({ role: "assistant", content: "Hello" });
    expect(await stream.final()).toEqual(await stream.final());
  });

  it("asks for events, and gives the response at once", async () => {
    const { client, sent } = demo([() => streamed(whole)]);
    const { data, response } = await client.chat.completions.create(ask).withResponse();
    expect(sent[0]?.headers.accept).toBe("text/event-stream");
    expect(response.status).toBe(200);
    await data.cancel();
  });

  it("gives the whole answer without a loop", async () => {
    expect((await (await open(streamed(whole))).final()).choices[0]?.message.content).toBe("Hello");
  });

  it("gives the whole answer from within the loop, which then ends", async () => {
    const stream = await open(streamed(whole));
    let loops = 0;
    for await (const _ of stream) {
      loops++;
      expect((await stream.final()).choices[0]?.message.content).toBe("Hello");
    }
    expect(loops).toBe(1);
  });

  it("is read once", async () => {
    const stream = await open(streamed(whole));
    await texts(stream);
    expect(await rejection(texts(stream))).toBeInstanceOf(StreamError);
    const other = await open(streamed(whole));
    await other.final();
    expect(await rejection(texts(other))).toBeInstanceOf(StreamError);
  });

  it("is not requested if `stream` is not true", async () => {
    for (const stream of [undefined, null, false]) {
      const { client, sent } = demo([() => Response.json({ id: "whole" })]);
      const body = stream === undefined ? { model: "m", messages: [] } : { model: "m", messages: [], stream };
      expect(await client.chat.completions.create(body)).toEqual({ id: "whole" });
      expect(sent[0]?.headers.accept).toBe("application/json");
    }
  });

  it("fails if the response is not a stream", async () => {
    const { signal } = new AbortController();
    const page = new Response("<html>my words</html>", { headers: { "content-type": "text/html; charset=utf-8" } });
    const error = await rejection(open(page, { signal }));
    expect(error).toBeInstanceOf(DecodeError);
    expect(error).toMatchObject({
      message: "chat.completions.create: answered 200 with text/html, 21 bytes, where a stream of events was expected",
      attempts: 1,
    });
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("has the service's message if a success response reports a failure", async () => {
    const answer = Response.json({ error: { message: "overloaded" } });
    expect(await rejection(open(answer))).toMatchObject({
      name: "StreamError",
      message: "chat.completions.create: the stream failed: overloaded",
      attempts: 1,
    });
  });

  it("fails if the response is JSON that never ends", async () => {
    const clock = stopClock();
    const body = new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode('{"error":')) });
    const stalled = rejection(
      open(new Response(body, { headers: { "content-type": "application/json" } }), { timeoutMs: 40, maxRetries: 0 }),
    );
    await clock.pass(50);
    expect(await stalled).toBeInstanceOf(TimeoutError);
  });

  it("throws the service's errors before the first event", async () => {
    expect(await rejection(open(new Response('{"error":{"message":"no"}}', { status: 400 })))).toMatchObject({
      name: "BadRequestError",
      message: "chat.completions.create: answered 400: no",
    });
  });
});

describe("streams: partial", () => {
  const opened = events(chunk("Hel"), chunk("lo"), chunk("", "stop"));
  const content = (partial: unknown): unknown => Object(partial).choices?.[0]?.message.content;

  it("returns the state so far, at any moment", async () => {
    const stream = await open(streamed(opened));
    expect(stream.partial()?.choices).toEqual([]);
    const seen: unknown[] = [];
    const kept: unknown[] = [];
    for await (const _ of stream) {
      kept.push(stream.partial());
      seen.push(stream.partial()?.choices?.[0]?.finish_reason);
    }
    expect(kept.map(content)).toEqual(["Hel", "Hello", "Hello"]);
    expect(seen).toEqual([null, null, "stop"]);
  });

  it("remains after break, and is on the errors that end the stream, but never printed", async () => {
    const left = await open(streamed(opened));
    for await (const _ of left) break;
    expect(content(left.partial())).toBe("Hel");

    const cut = await open(streamed(`data: ${JSON.stringify(chunk("my words"))}\n\n`));
    const error = await rejection(texts(cut));
    expect(error).toBeInstanceOf(StreamError);
    expect(content(Object(error).partial)).toBe("my words");
    expect(inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)).not.toContain("my words");

    const controller = new AbortController();
    const aborted = await open(streamed(opened), { signal: controller.signal });
    const loop = async (): Promise<void> => {
      for await (const _ of aborted) controller.abort();
    };
    expect(content(Object(await rejection(loop())).partial)).toBe("Hel");
  });

  it("is undefined with accumulate: false", async () => {
    expect((await open(streamed(opened), { accumulate: false })).partial()).toBeUndefined();
  });

  it("await using ends a stream", async () => {
    const { response, state } = endless();
    {
      await using stream = await open(response);
      await stream[Symbol.asyncIterator]().next();
    }
    expect(state.cancelled).toBe(true);
  });
});

describe("streams: accumulate", () => {
  it("false does not keep what final() needs", async () => {
    const stream = await open(streamed(whole), { accumulate: false });
    expect(await texts(stream)).toHaveLength(3);
    expect(await rejection(stream.final())).toBeInstanceOf(ConfigurationError);
  });
});

describe("streams: leaving", () => {
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

  it("by abort throws AbortError from the loop, cancels and leaves no listener", async () => {
    const { response, state } = endless();
    const controller = new AbortController();
    const stream = await open(response, { signal: controller.signal });
    let count = 0;
    const loop = async (): Promise<void> => {
      for await (const _ of stream) if (++count === 3) controller.abort();
    };
    expect(await rejection(loop())).toBeInstanceOf(AbortError);
    expect(await rejection(stream.final())).toBeInstanceOf(AbortError);
    expect(state.cancelled).toBe(true);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  it("by abort ends the wait for the next event", async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(`data: ${JSON.stringify(chunk("x"))}\n\n`);
    });
    const client = createDemoClient({ baseUrl: url, apiKey: "key-of-the-demo" });
    const controller = new AbortController();
    const stream = await client.chat.completions.create(ask, { signal: controller.signal });
    const loop = async (): Promise<void> => {
      for await (const _ of stream) setTimeout(() => controller.abort(), 10);
    };
    expect(await rejection(loop())).toBeInstanceOf(AbortError);
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

describe("streams: what has arrived whole", () => {
  const hundred = events(...Array.from({ length: 100 }, (_, index) => chunk(String(index))));

  /** How many chunks a loop is given, and what it throws, where `act` is called at each with the number of those before. */
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

  it("ends at totalTimeoutMs", async () => {
    const clock = stopClock();
    const stream = await open(streamed(hundred, events()), { totalTimeoutMs: 300 });
    const events300 = read(stream, () => void vi.advanceTimersByTime(100));
    await clock.toEnd();
    const { count, error } = await events300;
    expect(count).toBe(3);
    expect(error).toMatchObject({ name: "TimeoutError", message: expect.stringContaining("totalTimeoutMs") });
    expect(Math.min(...clock.delays)).toBeGreaterThanOrEqual(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends at totalTimeoutMs between two pieces, and arms no timer below zero", async () => {
    const clock = stopClock();
    const pieces = Array.from({ length: 100 }, (_, index) => `data: ${JSON.stringify(chunk(String(index)))}\n\n`);
    const stream = await open(streamed(...pieces), { totalTimeoutMs: 300 });
    const pieces300 = read(stream, () => void vi.advanceTimersByTime(100));
    await clock.toEnd();
    expect(await pieces300).toMatchObject({ count: 3, error: { name: "TimeoutError" } });
    expect(Math.min(...clock.delays)).toBeGreaterThanOrEqual(0);
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

describe("streams: faults", () => {
  it("fail if they end before their last event", async () => {
    const stream = await open(streamed(`data: ${JSON.stringify(chunk("Hel"))}\n\n`));
    const error = await rejection(texts(stream));
    expect(error).toBeInstanceOf(StreamError);
    expect(await rejection(stream.final())).toBe(error);
  });

  it("keep the cause if they are cut in the middle", async () => {
    const { url } = await serveSockets((socket) => {
      const event = `data: ${JSON.stringify(chunk("x"))}\n\n`;
      const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
      socket.write(`${head}${event.length.toString(16)}\r\n${event}\r\n`, () =>
        setTimeout(() => socket.resetAndDestroy(), 10),
      );
    });
    const client = createDemoClient({ baseUrl: url, apiKey: "key-of-the-demo" });
    const error = await rejection((await client.chat.completions.create(ask)).final());
    expect(error).toBeInstanceOf(StreamError);
    expect(error).toMatchObject({ cause: expect.any(Error), operation: "chat.completions.create" });
  });

  it.each([
    ["an object", 'data: {"error": {"message": "overloaded", "code": "busy"}}\n\n'],
    ["a text", 'data: {"error": "overloaded"}\n\n'],
    ["an event of type error", 'event: error\ndata: {"detail": "overloaded"}\n\n'],
    ["an event of type error with a message", 'event: error\ndata: {"message": "overloaded"}\n\n'],
  ])("fail if they report an error: %s", async (_, event) => {
    const stream = await open(streamed(`data: ${JSON.stringify(chunk("Hel"))}\n\n${event}data: {}\n\n`));
    const seen: unknown[] = [];
    const loop = async (): Promise<void> => {
      for await (const item of stream) seen.push(item);
    };
    const error = await rejection(loop());
    expect(error).toBeInstanceOf(StreamError);
    expect(error).toMatchObject({ message: expect.stringContaining("overloaded") });
    expect(seen).toHaveLength(1);
  });

  it("continue if `error` is null", async () => {
    const stream = await open(streamed('data: {"error": null, "choices": []}\n\ndata: [DONE]\n\n'));
    expect(await texts(stream)).toEqual([""]);
  });

  it("never echo the payload of a malformed event", async () => {
    const stream = await open(streamed("data: {my words\n\n"));
    const error = await rejection(texts(stream));
    expect(error).toBeInstanceOf(StreamError);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("my words");
  });

  it("fail at an event that is too large", async () => {
    const { response, state } = endless();
    const piece = new TextEncoder().encode("x".repeat(2 ** 20));
    const body = new ReadableStream({
      start: (to) => to.enqueue(new TextEncoder().encode("data: ")),
      pull: (to) => to.enqueue(piece),
      cancel: () => void (state.cancelled = true),
    });
    const stream = await open(new Response(body, response));
    expect(await rejection(stream.final())).toMatchObject({
      name: "StreamError",
      cause: { message: expect.stringContaining("8 MiB") },
    });
    expect(state.cancelled).toBe(true);
  });

  it("fail with TimeoutError if no data arrives; each event restarts the limit", async () => {
    const clock = stopClock();
    const body = new ReadableStream<Uint8Array>({
      start: (to) => {
        for (const at of [80, 160, 240])
          setTimeout(() => to.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(chunk("x"))}\n\n`)), at);
      },
    });
    const stream = await open(new Response(body, { headers: { "content-type": "text/event-stream" } }), {
      timeoutMs: 100,
    });
    let count = 0;
    const loop = async (): Promise<void> => {
      for await (const _ of stream) count++;
    };
    const error = rejection(loop());
    await clock.pass(400);
    expect(await error).toBeInstanceOf(TimeoutError);
    expect(count).toBe(3);
  });

  it("do not count the time that the program takes for an event", async () => {
    const clock = stopClock();
    const stream = await open(streamed(events(chunk("a")), events()), { timeoutMs: 100 });
    let count = 0;
    const loop = (async (): Promise<void> => {
      for await (const _ of stream) {
        count++;
        await new Promise((done) => setTimeout(done, 1000));
      }
    })();
    await clock.pass(2000);
    await loop;
    expect(count).toBe(1);
  });
});

describe("streams: the wire", () => {
  it("reads a server's pieces of one byte", async () => {
    const { url } = await serve(async (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      for (const byte of Buffer.from(events(chunk("Hé🚂"), chunk("", "stop")))) {
        response.write(Buffer.of(byte));
        await new Promise((done) => setImmediate(done));
      }
      response.end();
    });
    const client = createDemoClient({ baseUrl: url, apiKey: "key-of-the-demo" });
    const { choices } = await (await client.chat.completions.create(ask)).final();
    expect(choices[0]?.message.content).toBe("Hé🚂");
  });
});
