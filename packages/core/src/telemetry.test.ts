import type { Meter, Tracer } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import * as names from "@opentelemetry/semantic-conventions/incubating";
import { describe, expect, expectTypeOf, it } from "vitest";
import { type Answering, demo, events, rejection, streamed } from "../test/answering.ts";
import { ask, chunk, endless } from "../test/chat-stream.ts";
import type { Middleware } from "./middleware.ts";
import { telemetry, type TelemetryMeter, type TelemetryTracer } from "./telemetry.ts";

const known = new Set<unknown>(Object.values(names));
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const secret = "words that nobody may see";
const completion = {
  id: "c1",
  model: "m-1",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: `${secret} "usage":{"prompt_tokens":99}` },
      finish_reason: "stop",
    },
  ],
  usage,
};
// A media type has no case.
const streamOf = (...all: readonly object[]): Response =>
  new Response(events(...all), { headers: { "content-type": "Text/Event-Stream" } });

/** A client with telemetry, and what it reported. */
function reporting(...answers: [Answering, ...Answering[]]) {
  const exporter = new InMemorySpanExporter();
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer("t");
  const measured: { name: string; value: number; attributes: object }[] = [];
  const meter: TelemetryMeter = {
    createHistogram: (name) => ({
      record: (value, attributes) => void measured.push({ name, value, attributes }),
    }),
  };
  const made = demo(answers, { middleware: [telemetry({ tracer, meter })], maxRetries: 1 });
  const spans = () => exporter.getFinishedSpans();
  const named = (name: string) => measured.filter((one) => one.name === name);
  /** All names are those of the conventions, and nothing repeats what was said or the key. */
  const expectTold = () => {
    const told = [...spans().map(({ attributes }) => attributes), ...measured.map(({ attributes }) => attributes)];
    expect(
      told.flatMap(Object.keys).filter((name) => !known.has(name) && !name.startsWith("http.response.header.")),
    ).toEqual([]);
    expect(measured.filter(({ name }) => !known.has(name))).toEqual([]);
    expect(JSON.stringify([told, spans().map(({ name, status }) => [name, status])])).not.toMatch(
      /words that|key-of-the/,
    );
  };
  return { ...made, tracer, spans, named, expectTold };
}

const question = { model: "m", messages: [{ role: "user", content: secret }] } as const;

it("takes what OpenTelemetry has", () => {
  expectTypeOf<Tracer>().toExtend<TelemetryTracer>();
  expectTypeOf<Meter>().toExtend<TelemetryMeter>();
});

describe("telemetry", () => {
  it("reports each attempt, with the trace in its request", async () => {
    const busy = new Response("", { status: 503, headers: { "retry-after": "0" } });
    const { client, spans, sent, named, expectTold } = reporting(busy, 200);
    await client.models.get("private");
    expect(spans()).toMatchObject([
      {
        name: "GET /v1/models/{model_id}",
        kind: 2,
        status: { code: 2 },
        attributes: {
          "http.response.status_code": 503,
          "error.type": "503",
          "server.address": "demo.test",
          "server.port": 80,
        },
      },
      { status: { code: 0 }, attributes: { "http.response.status_code": 200, "http.request.resend_count": 1 } },
    ]);
    expect(sent.map(({ headers }) => headers["traceparent"])).toEqual(
      spans().map((span) => `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`),
    );
    expect(JSON.stringify(spans().map(({ attributes }) => attributes))).not.toContain("private");
    expect(named("http.client.request.duration")).toMatchObject([
      { attributes: { "http.response.status_code": 503, "error.type": "503" } },
      { attributes: { "http.response.status_code": 200 } },
    ]);
    expect(named("gen_ai.client.operation.duration")).toEqual([]);
    expectTold();
  });

  it("reports a chat completion, without a word of it", async () => {
    const { client, spans, named, expectTold } = reporting(
      Response.json(completion, { headers: { "x-request-id": "r-1" } }),
    );
    expect(await client.chat.completions.create(question)).toEqual(completion);
    expect(spans()).toMatchObject([
      {
        name: "chat m",
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.request.model": "m",
          "gen_ai.response.model": "m-1",
          "gen_ai.response.id": "c1",
          "gen_ai.response.finish_reasons": ["stop"],
          "gen_ai.usage.input_tokens": 3,
          "gen_ai.usage.output_tokens": 2,
          "http.response.header.x-request-id": ["r-1"],
        },
      },
    ]);
    expect(named("gen_ai.client.token.usage")).toMatchObject([
      { value: 3, attributes: { "gen_ai.token.type": "input", "gen_ai.request.model": "m" } },
      { value: 2, attributes: { "gen_ai.token.type": "output" } },
    ]);
    expectTold();
  });

  it("ends the span of a stream with the stream", async () => {
    const last = { ...chunk("", "stop"), usage };
    const { client, spans, named, expectTold } = reporting(streamOf(chunk(secret), chunk("lo"), last));
    const stream = await client.chat.completions.create(ask);
    expect(spans()).toEqual([]);
    await stream.final();
    expect(spans()).toMatchObject([
      {
        name: "chat m",
        status: { code: 0 },
        attributes: {
          "gen_ai.response.id": "c1",
          "gen_ai.response.finish_reasons": ["stop"],
          "gen_ai.usage.output_tokens": 2,
        },
      },
    ]);
    expect(named("gen_ai.client.operation.duration")).toHaveLength(1);
    expectTold();
  });

  it("ends the span of a stream that is left, fails or breaks", async () => {
    const left = endless();
    for (const [response, type] of [
      [left.response, undefined],
      [streamOf(chunk("a"), { error: { message: secret, code: "overloaded" } }), "overloaded"],
      [
        new Response(
          new ReadableStream({
            pull: (to) => to.error(Object.assign(new Error(secret), { code: "ECONNRESET" })),
          }),
          { headers: { "content-type": "text/event-stream" } },
        ),
        "ECONNRESET",
      ],
    ] as const) {
      const { client, spans, expectTold } = reporting(() => response);
      const read = async () => {
        for await (const _ of await client.chat.completions.create(ask)) if (type === undefined) break;
      };
      await read().catch(() => undefined);
      expect(spans()).toHaveLength(1);
      expect(spans()[0]?.attributes["error.type"]).toBe(type);
      expectTold();
    }
    expect(left.state.cancelled).toBe(true);
  });

  it("reports a connection that fails, and throws its error", async () => {
    const lost = new TypeError("fetch failed", { cause: Object.assign(new Error(secret), { code: "ECONNREFUSED" }) });
    const { client, spans, expectTold } = reporting(lost);
    expect(await rejection(client.chat.completions.create(question, { maxRetries: 0 }))).toMatchObject({
      name: "ConnectionError",
    });
    expect(spans()).toMatchObject([{ status: { code: 2 }, attributes: { "error.type": "ECONNREFUSED" } }]);
    expectTold();
  });

  it("ends the span of an answer that is lost, or read by a middleware", async () => {
    const broken = new ReadableStream({ pull: (to) => to.error(new TypeError(secret)) });
    const { client, spans, expectTold } = reporting(() => new Response(broken));
    await rejection(client.chat.completions.create(question, { maxRetries: 0 }));
    expect(spans()).toMatchObject([{ attributes: { "error.type": "TypeError" } }]);
    expectTold();
    const read = reporting(Response.json(completion));
    const middleware: Middleware[] = [
      async (request, next) => Response.json(await (await next(request)).json()),
      telemetry({ tracer: read.tracer }),
    ];
    const { client: other } = demo([Response.json(completion)], { middleware });
    await other.chat.completions.create(question);
    expect(read.spans()).toMatchObject([{ attributes: { "gen_ai.response.id": "c1" } }]);
  });

  it("leaves the faults of a stream to the engine", async () => {
    const large = `data: ${"x".repeat(9 * 2 ** 20)}\n\n`;
    for (const [body, words] of [
      [large, "larger than 8 MiB"],
      ['data: {"choices": 5, "error": {}}\n\n', "failed: no reason given"],
      ["data: null\n\n", "null as an event"],
    ] as const) {
      const { client, spans } = reporting(streamed(body));
      expect(await rejection((await client.chat.completions.create(ask)).final())).toMatchObject({
        name: "StreamError",
        message: expect.stringContaining(words),
      });
      expect(spans()).toHaveLength(1);
    }
  });

  it("leaves what is no JSON to the engine, and needs neither tracer nor meter", async () => {
    const { client, spans } = reporting(() => new Response("no JSON"));
    expect(await rejection(client.chat.completions.create(question))).toMatchObject({ name: "DecodeError" });
    expect(spans()).toHaveLength(1);
    const plain = demo([Response.json(completion)], { middleware: [telemetry({})] });
    expect(await plain.client.chat.completions.create(question)).toEqual(completion);
    expect(plain.sent[0]?.headers["traceparent"]).toBeUndefined();
  });
});
