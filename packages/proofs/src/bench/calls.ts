import { join } from "node:path";
import { telemetry } from "@trainyard/core/telemetry";
import { createInferenceClient, type ChatCompletionRequest, type paths } from "@trainyard/inference";
import { createInferenceHttp } from "@trainyard/inference/http";
import { started } from "@trainyard/release/run";
import ky from "ky";
import OpenAI from "openai";
import createClient from "openapi-fetch";
import { alternate, type Contenders } from "./alternate.ts";
import { atMost, type Findings, ratios, spreadOf } from "./report.ts";

const base = "openapi-fetch";
const bars: Readonly<Record<string, number>> = {
  "@trainyard/inference, method": 1.1,
  "@trainyard/inference, http": 1.3,
};
const apiKey = "a-key-for-the-bench";
const authorization = `Bearer ${apiKey}`;
const path = "/chat/completions";
const body = {
  model: "demo/tiny",
  messages: [{ role: "user", content: "Does the 9:40 to Bergen carry bicycles?" }],
} as const satisfies ChatCompletionRequest;

function clientsOf(baseUrl: string): Contenders {
  const address = baseUrl + path;
  const bare = createClient<paths>({ baseUrl, headers: { authorization } });
  const own = createInferenceClient({ baseUrl, apiKey });
  const http = createInferenceHttp({ baseUrl, apiKey });
  // What is reported goes nowhere: only the cost of the middleware is measured.
  const span = {
    spanContext: () => ({ traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: 1 }),
    setAttributes() {},
    setStatus() {},
    end() {},
  };
  const told = telemetry({
    tracer: { startActiveSpan: (_, __, run) => run(span) },
    meter: { createHistogram: () => ({ record() {} }) },
  });
  const telling = createInferenceClient({ baseUrl, apiKey, middleware: [told] });
  const openai = new OpenAI({ apiKey, baseURL: baseUrl });
  const kyClient = ky.create({ headers: { authorization } });
  return {
    "raw fetch": async () => {
      const headers = { authorization, "content-type": "application/json" };
      const response = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`The service answered ${response.status}.`);
      return response.json();
    },
    [base]: () => bare.POST(path, { body }),
    ky: () => kyClient.post(address, { json: body }).json(),
    openai: () => openai.chat.completions.create({ ...body, messages: [...body.messages] }),
    "@trainyard/inference, method": () => own.chat.completions.create(body),
    "@trainyard/inference, method with telemetry": () => telling.chat.completions.create(body),
    "@trainyard/inference, http": () => http.POST(path, { body }),
  };
}

/** The CPU time of one call, sequential, over loopback, with the service in another process. */
export async function calls(): Promise<Findings> {
  const cwd = import.meta.dirname;
  const { child, match } = await started(process.execPath, [join(cwd, "programs/service.ts")], { cwd }, /http:\S+/);
  try {
    const rounds = await alternate(clientsOf(match[0]), { rounds: 60, runs: 40, warmUp: 600 });
    return {
      how: "One chat completion after the other over loopback, 60 rounds of 40 calls in which the clients take turns. User and system time of the whole process of the client; the service runs in another. `pnpm bench --only CPU` measures this alone.",
      against: base,
      rows: Object.entries(rounds).map(([what, values]) => {
        const ratio = ratios(values, rounds[base]);
        const bar = bars[what];
        return {
          what,
          measured: `${spreadOf(values).median.toFixed(0)} µs`,
          ratio,
          ...(bar !== undefined && atMost(ratio.median, bar, `× ${bar}`)),
        };
      }),
    };
  } finally {
    child.kill();
  }
}
