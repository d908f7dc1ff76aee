import { describe, expect, it } from "vitest";
import { demo, events, rejection, streamed } from "../test/answering.ts";
import { ask, chunk, endless, open, texts, whole } from "../test/chat-stream.ts";

describe("a stream handed on as server-sent events", () => {
  it("is the same to the next reader, whatever the service sent beside its events", async () => {
    const noise = `\uFEFF: ping\r\n\r\n${whole.replaceAll("data: ", "event: message\ndata:")}`;
    const first = await open(streamed(noise));
    const text = await new Response(first.toEventStream()).text();
    expect(text).toBe(whole);
    expect((await (await open(streamed(text))).final()).choices).toEqual((await first.final()).choices);
  });

  it("ends with an error that names its kind alone, and the reason stays with the stream", async () => {
    const secret = { message: "over quota of key-of-the-demo" };
    const stream = await open(streamed(events(chunk("Hel"), { error: secret })));
    const text = await new Response(stream.toEventStream()).text();
    expect(text.split("\n\n")).toEqual([
      `data: ${JSON.stringify(chunk("Hel"))}`,
      'data: {"error":{"message":"StreamError"}}',
      "",
    ]);
    const reader = await open(streamed(text));
    expect(await rejection(texts(reader))).toMatchObject({ name: "StreamError" });
    expect(await rejection(stream.final())).toMatchObject({ message: expect.stringContaining("over quota") });
  });

  it("reads one event ahead, and ends the request when the reader leaves", async () => {
    for (const read of [0, 2]) {
      const { response, state } = endless();
      const stream = await open(response);
      const reader = stream.toEventStream().getReader();
      for (let index = 0; index < read; index++) await reader.read();
      await new Promise((resolve) => setImmediate(resolve));
      expect(stream.partial()?.choices?.[0]?.message?.content ?? "").toBe("x".repeat(read + 1));
      await reader.cancel();
      expect(state.cancelled).toBe(true);
    }
  });

  it("ends the request while it waits for an event, by the reader or by the signal", async () => {
    for (const leave of ["cancel", "abort"]) {
      let cancelled = false;
      const silent = new ReadableStream({ cancel: () => void (cancelled = true) });
      const response = new Response(silent, { headers: { "content-type": "text/event-stream" } });
      const controller = new AbortController();
      const stream = await open(response, { signal: controller.signal });
      const reader = stream.toEventStream().getReader();
      const pending = reader.read();
      if (leave === "cancel") await reader.cancel();
      else controller.abort();
      const { value } = await pending;
      expect(cancelled).toBe(true);
      expect(new TextDecoder().decode(value)).toBe(
        leave === "cancel" ? "" : 'data: {"error":{"message":"AbortError"}}\n\n',
      );
    }
  });

  it("is refused at once for a stream that is being read, and takes the stream", async () => {
    const stream = await open(streamed(whole));
    for await (const _ of stream) expect(() => stream.toEventStream()).toThrow("can be read once");
    const other = await demo([() => streamed(whole)]).client.chat.completions.create(ask);
    other.toEventStream();
    expect(() => other.toEventStream()).toThrow("can be read once");
    expect(await rejection(texts(other))).toMatchObject({ name: "StreamError" });
  });
});
