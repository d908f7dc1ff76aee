import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { createTrainingClient, type Middleware } from "@trainyard/training";

// Your exporter would send spans to a collector. This one only stores them.
const exporter = new InMemorySpanExporter();
const spanProcessors = [new SimpleSpanProcessor(exporter)];
const provider = new BasicTracerProvider({ spanProcessors });
const tracer = provider.getTracer("my-agent");

// One span for each attempt: a call with one retry has two.
const traced: Middleware = (request, next, { name, operation, attempt }) =>
  tracer.startActiveSpan(name, { kind: SpanKind.CLIENT }, async (span) => {
    const { spanId, traceId } = span.spanContext();
    request.headers.set("traceparent", `00-${traceId}-${spanId}-01`);
    span.setAttribute("http.request.method", operation.method);
    span.setAttribute("url.template", operation.path);
    if (attempt > 1) span.setAttribute("http.request.resend_count", attempt - 1);
    try {
      const response = await next(request);
      span.setAttribute("http.response.status_code", response.status);
      span.setAttribute("request.id", response.headers.get("x-request-id") ?? "");
      if (!response.ok) span.setStatus({ code: SpanStatusCode.ERROR });
      return response;
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: String(error) });
      throw error;
    } finally {
      span.end();
    }
  });

const training = createTrainingClient({ middleware: [traced] });
await training.health.check();
for (const { name, attributes } of exporter.getFinishedSpans())
  console.log(name, JSON.stringify(attributes));
