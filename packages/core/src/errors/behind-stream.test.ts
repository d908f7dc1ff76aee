import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { events, rejection } from "../../test/answering.ts";
import { ask, chunk } from "../../test/chat-stream.ts";
import { createDemoClient, createDemoHttp } from "../../test/demo-client.ts";
import { serveSockets } from "../../test/server.ts";

const event = `data: ${JSON.stringify(chunk("Hel"))}\n\n`;
const rest = events(chunk("lo"), chunk("", "stop"));
const head = "HTTP/1.1 200 OK\r\nx-request-id: r-7\r\nconnection: close\r\ncontent-type: ";
const streamHead = `${head}text/event-stream\r\n\r\n`;

type Play = (socket: Socket) => void;
const pieces =
  (...texts: (string | Uint8Array)[]): Play =>
  async (socket) => {
    for (const text of [streamHead, ...texts]) await new Promise((done) => socket.write(text, done));
    socket.end();
  };
// With a length, or else a reset is an end.
const reset =
  (...texts: string[]): Play =>
  (socket) => {
    const start = streamHead.replace("connection: close", "content-length: 9999");
    socket.write(start + texts.join(""), () => setTimeout(() => socket.resetAndDestroy(), 20));
  };

async function stream(play: Play): Promise<{ url: string; final: Promise<unknown> }> {
  const { url } = await serveSockets(play);
  const client = createDemoClient({ baseUrl: url, apiKey: "key-of-the-demo", timeoutMs: 300 });
  return { url, final: client.chat.completions.create(ask).then((opened) => opened.final()) };
}

describe("streams as they really arrive are read:", () => {
  const whole = event + rest;
  const indexed = (index: number, content: string, finish_reason: "stop" | null = null) => ({
    ...chunk("x"),
    choices: [{ index, delta: { content }, finish_reason }],
  });
  it.each<[string, Play, string[]?]>([
    [
      "comments before and between events",
      pieces(`: ping\n\n: OPENROUTER PROCESSING\n\n${event}: keep-alive\n\n`, rest),
    ],
    ["other types of events", pieces(`event: message\n${event}event: chunk\n${rest}`)],
    ["CRLF, and data without a space", pieces(whole.replaceAll("\n", "\r\n").replaceAll("data: ", "data:"))],
    ["a byte order mark", pieces(`\uFEFF${whole}`)],
    ["every byte on its own", pieces(...[...Buffer.from(whole)].map((byte) => Buffer.of(byte)))],
    ["40 events in one piece", pieces(event + events(...Array(38).fill(chunk("")), chunk("lo", "stop")))],
    ["a last event without a blank line", pieces(event + rest.trimEnd())],
    ["an open connection after the end", (socket) => void socket.write(streamHead + whole)],
    ["an end with spaces around it", (socket) => void socket.write(streamHead + whole.replace("[DONE]", " [DONE] "))],
    [
      "usage in a chunk without choices",
      pieces(event, events(chunk("lo", "stop"), { ...chunk(""), choices: [], usage: {} })),
    ],
    [
      "choice 1 before choice 0",
      pieces(events(indexed(1, "b", "stop"), indexed(0, "a"), indexed(0, "", "stop"))),
      ["a", "b"],
    ],
  ])("%s", async (_, play, texts = ["Hello"]) => {
    const { final } = await stream(play);
    const { choices } = (await final) as { choices: { message: { content: string } }[] };
    expect(choices.map(({ message }) => message.content)).toEqual(texts);
  });
});

describe("streams that fail carry the words, status, id, operation, origin and what arrived:", () => {
  const some = { choices: [{ message: { content: "Hel" } }] };
  const json =
    (body: string): Play =>
    (socket) =>
      void socket.end(`${head}application/json\r\n\r\n${body}`);
  it.each<[string, Play, string, object?]>([
    [
      "an event of type error",
      pieces(event, 'event: error\ndata: {"message": "overloaded"}\n\n'),
      "StreamError: the stream from URL failed: overloaded, events so far: 1.",
      { partial: some },
    ],
    [
      "a chunk with an error",
      pieces(event, 'data: {"error": {"message": "overloaded", "code": "busy"}}\n\n'),
      "StreamError: the stream from URL failed: overloaded, events so far: 1.",
      { code: "busy", partial: some },
    ],
    [
      "an error that is a text",
      pieces(event, 'data: {"error": "overloaded"}\n\n'),
      "StreamError: the stream from URL failed: overloaded, events so far: 1.",
    ],
    [
      "an event of type error with a detail",
      pieces(event, 'event: error\ndata: {"detail": "overloaded"}\n\n'),
      "StreamError: the stream from URL failed: overloaded, events so far: 1.",
    ],
    [
      "JSON with an error",
      json('{"error": {"message": "over quota", "code": "quota"}}'),
      "ApiError: answered 200: over quota",
      { code: "quota" },
    ],
    [
      "a page",
      (socket) => void socket.end(`${head}text/html\r\n\r\n<html>`),
      "DecodeError: answered 200 with text/html, 6 bytes, where a stream of events was expected",
    ],
    [
      "a break after events",
      reset(event, event),
      "StreamError: the stream from URL broke (ECONNRESET), events so far: 2.",
      { code: "ECONNRESET" },
    ],
    [
      "a break before an event",
      reset(),
      "StreamError: the stream from URL broke (ECONNRESET), no event had arrived.",
      { code: "ECONNRESET" },
    ],
    [
      "a break after a comment",
      reset(": ping\n\n"),
      "StreamError: the stream from URL broke (ECONNRESET), no event had arrived.",
    ],
    [
      "an end after events",
      pieces(event),
      "StreamError: the stream from URL ended before its last event, events so far: 1.",
      { partial: some },
    ],
    [
      "an end before an event",
      pieces(),
      "StreamError: the stream from URL ended before its last event, no event had arrived.",
    ],
    [
      "silence before an event",
      (socket) => void socket.write(`${streamHead}: ping\n\n`),
      "TimeoutError: the call to URL took too long (timeoutMs: 300), no event had arrived.",
    ],
    [
      "malformed JSON",
      pieces('data: {"id": my words}\n\n'),
      "StreamError: the stream from URL has an event that is not JSON, malformed at position 7 of 16 bytes, no event had arrived.",
    ],
    ...[
      ["null", "null"],
      ["5", "number"],
      ["0", "number"],
      ["false", "boolean"],
      ['"text"', "string"],
      ['""', "string"],
      ["[]", "list"],
      ['[{"error": "no"}]', "list"],
    ].map(([data, kind]): [string, Play, string, object] => [
      `an event with ${data}`,
      pieces(event, `data: ${data}\n\n`, rest),
      `StreamError: the stream from URL has a ${kind} as an event, events so far: 1.`,
      { partial: some },
    ]),
    [
      "an event of type error with a list",
      pieces("event: error\ndata: []\n\n"),
      "StreamError: the stream from URL failed: no reason given, no event had arrived.",
    ],
  ])("%s", async (_, play, text, more = {}) => {
    const { url, final } = await stream(play);
    const [name, message] = text.replace("URL", url).split(/: (.*)/);
    expect(await rejection(final)).toMatchObject({
      name,
      message: `chat.completions.create: ${message}`,
      operation: "chat.completions.create",
      status: 200,
      requestId: "r-7",
      ...more,
    });
  });

  it("by path too", async () => {
    const { url } = await serveSockets(reset(event));
    const http = createDemoHttp({ baseUrl: url, apiKey: "key-of-the-demo" });
    const { data } = await http.POST("/v1/chat/completions", { body: ask, parseAs: "stream" });
    expect(await rejection(new Response(data).text())).toMatchObject({
      name: "StreamError",
      message: `chat.completions.create: the stream from ${url} broke (ECONNRESET).`,
      operation: "chat.completions.create",
      code: "ECONNRESET",
      status: 200,
      requestId: "r-7",
    });
  });
});
