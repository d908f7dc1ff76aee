import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { telemetry } from "@trainyard/core/telemetry";
import { createTrainingClient } from "@trainyard/training";

// Your exporter would send spans to a collector. This one only stores them.
const exporter = new InMemorySpanExporter();
const spanProcessors = [new SimpleSpanProcessor(exporter)];
const tracer = new BasicTracerProvider({ spanProcessors }).getTracer("my-agent");

// One span for each attempt: a call with one retry has two.
const training = createTrainingClient({ middleware: [telemetry({ tracer })] });
await training.health.check();
for (const { name, attributes } of exporter.getFinishedSpans())
  console.log(name, JSON.stringify(attributes));
