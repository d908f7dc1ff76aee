import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { events, rejection, streamed } from "../test/answering.ts";
import { ask, chunk, endless, open, texts } from "../test/chat-stream.ts";
import { stopClock } from "../test/clock.ts";
import { createDemoClient } from "../test/demo-client.ts";
import { serve, serveSockets } from "../test/server.ts";
import { StreamError, TimeoutError } from "./errors/index.ts";

describe("streams with faults", () => {
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

describe("streams over a connection", () => {
  it("are read in pieces of one byte", async () => {
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
