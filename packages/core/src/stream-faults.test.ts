import { describe, expect, it } from "vitest";
import { events, rejection, streamed } from "../test/answering.ts";
import { chunk, endless, open, texts } from "../test/chat-stream.ts";
import { stopClock } from "../test/clock.ts";
import { TimeoutError } from "./errors/index.ts";

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
