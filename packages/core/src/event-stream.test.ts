import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { demo, events, rejection, streamed } from "../test/answering.ts";
import { ask, chunk, endless, open, texts, whole } from "../test/chat-stream.ts";
import { stopClock } from "../test/clock.ts";
import { answersOf, eventsAnswer } from "./answer-readers.ts";
import { engineOf } from "../test/engine-of.ts";
import { ConfigurationError, DecodeError, StreamError, TimeoutError } from "./errors/index.ts";

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
  it("false keeps nothing for partial() and final()", async () => {
    const stream = await open(streamed(whole), { accumulate: false });
    expect(await texts(stream)).toHaveLength(3);
    expect(stream.partial()).toBeUndefined();
    expect(await rejection(stream.final())).toBeInstanceOf(ConfigurationError);
  });
});

describe("streams with faults", () => {
  it("continue if `error` is null", async () => {
    const stream = await open(streamed('data: {"error": null, "choices": []}\n\ndata: [DONE]\n\n'));
    expect(await texts(stream)).toEqual([""]);
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
      message: expect.stringMatching(/ has an event larger than 8 MiB, no event had arrived\.$/),
      operation: "chat.completions.create",
    });
    expect(state.cancelled).toBe(true);
  });

  it("fail at an event that is too large, also where each event is returned as it comes", async () => {
    const answers = answersOf({ default: eventsAnswer });
    const events = { method: "GET", path: "/", open: true, answers } as const;
    const service = { name: "demo", contractVersion: "1", timeout: 60, operations: { events } };
    const { call } = engineOf(service, {
      baseUrl: "http://demo.test",
      fetch: async () => streamed(`data: 1\n\ndata: ${"x".repeat(9 * 2 ** 20)}`),
    });
    const read = async (): Promise<void> => {
      for await (const _ of await call<AsyncIterable<unknown>>("events", {}));
    };
    expect(await rejection(read())).toMatchObject({
      name: "StreamError",
      message: "events: the stream from http://demo.test has an event larger than 8 MiB.",
    });
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
