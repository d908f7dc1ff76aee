import { codeOf } from "./errors/code-of.ts";
import { isEventStream, jsonOf } from "./errors/response.ts";
import type { Middleware } from "./middleware.ts";
import { eventParser } from "./sse.ts";

/** Attributes of a span or a measurement. */
export type TelemetryAttributes = { [name: string]: string | number | string[] };

/** The part of OpenTelemetry's `Span` that is used. */
export interface TelemetrySpan {
  spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number };
  setAttributes(attributes: TelemetryAttributes): unknown;
  setStatus(status: { code: number }): unknown;
  end(): void;
}

/** The part of OpenTelemetry's `Tracer` that is used. */
export interface TelemetryTracer {
  startActiveSpan<T>(
    name: string,
    options: { kind: number; attributes: TelemetryAttributes },
    run: (span: TelemetrySpan) => T,
  ): T;
}

/** The part of OpenTelemetry's `Meter` that is used. */
export interface TelemetryMeter {
  createHistogram(
    name: string,
    options: { unit: string; advice: { explicitBucketBoundaries: number[] } },
  ): { record(value: number, attributes: TelemetryAttributes): void };
}

/** Where {@link telemetry} reports to. */
export interface TelemetryOptions {
  tracer?: TelemetryTracer | undefined;
  meter?: TelemetryMeter | undefined;
}

/** What is read of the JSON of chat. */
interface Json {
  readonly id?: string;
  readonly model?: string;
  readonly choices?: readonly { readonly finish_reason?: string | null }[] | null;
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null;
  readonly error?: { readonly code?: string | number | null } | string | null;
}

// What is not JSON is the engine's to report.
const chatOf = (text: string | null): Json => Object(jsonOf(text ?? ""));
const powers = (first: number, base: number): number[] => Array.from({ length: 14 }, (_, at) => first * base ** at);

/**
 * A middleware that reports each attempt to OpenTelemetry: a span of the kind `CLIENT`, which a stream ends with its last
 * event, and durations (seconds) and tokens as histograms. Names and buckets are those of the semantic conventions for HTTP
 * and GenAI. The trace is sent in the header `traceparent`. No content of a conversation, no key and no path with its
 * values is reported.
 */
export function telemetry({ tracer, meter }: TelemetryOptions): Middleware {
  const histogram = (name: string, unit: string, explicitBucketBoundaries: number[]) =>
    meter?.createHistogram(name, { unit, advice: { explicitBucketBoundaries } });
  const steps = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
  const requests = histogram("http.client.request.duration", "s", steps);
  const chats = histogram("gen_ai.client.operation.duration", "s", powers(0.01, 2));
  const tokens = histogram("gen_ai.client.token.usage", "{token}", powers(1, 4));

  return async (request, next, { operation: { method, path }, attempt }) => {
    const began = performance.now();
    const { hostname, port, protocol } = new URL(request.url);
    // What the measurements have too. Each is one of few values.
    const common: TelemetryAttributes = {
      "server.address": hostname,
      "server.port": +port || (protocol === "https:" ? 443 : 80),
    };
    const http: TelemetryAttributes = { ...common, "http.request.method": method, "url.template": path };
    const isChat = path.endsWith("/chat/completions");
    let title = `${method} ${path}`;
    if (isChat) {
      const { model } = chatOf(request.body);
      Object.assign(common, { "gen_ai.operation.name": "chat", "gen_ai.provider.name": hostname });
      if (typeof model === "string") common["gen_ai.request.model"] = model;
      title = `chat ${model ?? ""}`.trim();
    }

    const run = async (span?: TelemetrySpan): Promise<Response> => {
      const found: TelemetryAttributes = {};
      const reasons: string[] = [];
      let counts: { readonly [type: string]: number | undefined } = {};
      /** Notes what an answer of chat, or an event of its stream, says of itself. */
      const note = ({ id, model, choices, usage, error }: Json): void => {
        if (id) found["gen_ai.response.id"] ??= id;
        if (model) found["gen_ai.response.model"] ??= model;
        for (const choice of choices ?? []) if (choice.finish_reason) reasons.push(choice.finish_reason);
        if (usage) counts = { input: usage.prompt_tokens, output: usage.completion_tokens };
        if (error) found["error.type"] = `${Object(error).code ?? "error"}`;
      };
      let isOver = false;
      const end = (failure?: string | number): void => {
        if (isOver) return;
        isOver = true;
        if (failure) found["error.type"] = `${failure}`;
        const seconds = (performance.now() - began) / 1000;
        const model = found["gen_ai.response.model"];
        const type = found["error.type"];
        if (model) common["gen_ai.response.model"] = model;
        if (reasons.length) found["gen_ai.response.finish_reasons"] = reasons;
        for (const [sort, count] of Object.entries(counts))
          if (count !== undefined) {
            found[`gen_ai.usage.${sort}_tokens`] = count;
            tokens?.record(count, { ...common, "gen_ai.token.type": sort });
          }
        const failed = type ? { "error.type": type } : {};
        const status = found["http.response.status_code"];
        requests?.record(seconds, { ...http, ...(status && { "http.response.status_code": status }), ...failed });
        if (isChat) chats?.record(seconds, { ...common, ...failed });
        span?.setAttributes(found);
        if (type) span?.setStatus({ code: 2 });
        span?.end();
      };

      if (span) {
        const { traceId, spanId, traceFlags } = span.spanContext();
        request.headers.set("traceparent", `00-${traceId}-${spanId}-0${traceFlags & 1}`);
      }
      try {
        const response = await next(request);
        const { status, headers, body } = response;
        found["http.response.status_code"] = status;
        const id = headers.get("x-request-id");
        if (id) found["http.response.header.x-request-id"] = [id];
        if (response.ok && isChat && isEventStream(response) && body)
          return new Response(watched(body, note, end), response);
        if (response.ok && isChat) {
          // The engine's own reading is watched: a second body would cost a tenth of a call.
          const read = response.text.bind(response);
          const text = async (): Promise<string> => {
            const json = await read().catch((error: unknown) => {
              end(kindOf(error));
              throw error;
            });
            note(chatOf(json));
            end();
            return json;
          };
          return Object.assign(response, { text, json: async (): Promise<unknown> => JSON.parse(await text()) });
        }
        end(response.ok ? "" : status);
        return response;
      } catch (error) {
        end(kindOf(error));
        throw error;
      }
    };

    if (!tracer) return run();
    const attributes = { ...http, ...common, ...(attempt > 1 && { "http.request.resend_count": attempt - 1 }) };
    return tracer.startActiveSpan(title, { kind: 2, attributes }, run);
  };
}

const kindOf = (error: unknown): string => codeOf(error) ?? (error instanceof Error ? error.name : "_OTHER");

/** The body, unchanged. Its events are noted, and its end, its break or its cancellation ends the span. */
function watched(body: ReadableStream<Uint8Array>, note: (event: Json) => void, end: (failure?: string) => void) {
  const reader = body.getReader();
  const parser = eventParser();
  let isFirst = true;
  /** Notes the events of a piece. What is no event is the engine's to report. */
  const look = (value: Uint8Array | undefined): void => {
    try {
      for (const { data } of value ? parser.push(value) : parser.end())
        // Most events have nothing to note.
        if (isFirst || /"(usage|error)":\s*[{"]|"finish_reason":\s*"/.test(data)) {
          note(chatOf(data));
          isFirst = false;
        }
    } catch (error) {
      end(kindOf(error));
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(to) {
        try {
          const { done, value } = await reader.read();
          look(value);
          if (!done) return to.enqueue(value);
          end();
          to.close();
        } catch (error) {
          end(kindOf(error));
          to.error(error);
        }
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
