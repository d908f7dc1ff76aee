import { describe, expect, it } from "vitest";
import { demo, events, rejection } from "../test/answering.ts";
import { engineOf } from "../test/engine-of.ts";
import { ask, chunk, texts } from "../test/chat-stream.ts";
import { answersOf, anyAnswer, eventsAnswer, textAnswer } from "./answer-readers.ts";
import type { ServerEvent } from "./sse.ts";

/** An engine whose three operations get this answer. */
function reading(answer: () => Response) {
  const service = {
    name: "demo",
    contractVersion: "1.0.0",
    timeout: 60,
    operations: {
      any: { method: "GET", path: "/any", answers: answersOf({ 200: anyAnswer }) },
      events: { method: "GET", path: "/events", open: true, answers: answersOf({ 200: eventsAnswer }) },
      text: { method: "GET", path: "/text", answers: answersOf({ 200: textAnswer }) },
    },
  } as const;
  return engineOf(service, { baseUrl: "http://demo.test", apiKey: null, fetch: async () => answer() });
}

describe("a media type", () => {
  const spellings = ["text/event-stream", "Text/Event-Stream", "TEXT/EVENT-STREAM;charset=UTF-8"];

  it.each(spellings)("%s is a stream", async (type) => {
    const text = events(chunk("Hel"), chunk("lo"));
    const answer = (): Response => new Response(text, { headers: { "content-type": type } });
    expect(await texts(await demo([answer]).client.chat.completions.create(ask))).toEqual(["Hel", "lo"]);
    const stream = await reading(answer).call<AsyncIterable<ServerEvent>>("events", {});
    const seen: string[] = [];
    for await (const { data } of stream) seen.push(data);
    expect(seen).toHaveLength(3);
  });

  it.each(["application/json", "Application/JSON", "application/VND.demo+Json; charset=utf-8"])(
    "%s is JSON",
    async (type) => {
      const answer = (): Response => new Response('{"n":1}', { headers: { "content-type": type } });
      expect(await reading(answer).call("any", {})).toEqual({ n: 1 });
    },
  );
});

it("a body that ends with a value without a text is an error of the call", async () => {
  const cause = { toString: 0 };
  const answer = () => new Response(new ReadableStream({ pull: (controller) => controller.error(cause) }));
  const failed = { name: "TrainyardError", message: "any: cannot read the body from http://demo.test", cause };
  expect(await rejection(reading(answer).call("any", {}))).toMatchObject(failed);
});

it.each(["any", "text"] as const)("a text that the runtime cannot hold is an error of the call: %s", async (name) => {
  const cause = Object.assign(new Error("long"), { code: "ERR_STRING_TOO_LONG" });
  const answer = (): Response => {
    const response = new Response("x", { headers: { "content-type": "text/plain" } });
    const blob = Object.assign(new Blob(["x"]), { text: () => Promise.reject(cause) });
    return Object.assign(response, { blob: () => Promise.resolve(blob) });
  };
  const message = `${name}: cannot read the body from http://demo.test (ERR_STRING_TOO_LONG)`;
  expect(await rejection(reading(answer).call(name, {}))).toMatchObject({ name: "TrainyardError", message, cause });
});
