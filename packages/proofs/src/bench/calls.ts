import { join } from "node:path";
import { createInferenceClient, type ChatCompletionRequest, type paths } from "@trainyard/inference";
import { createInferenceHttp } from "@trainyard/inference/http";
import { started } from "@trainyard/release/run";
import createClient from "openapi-fetch";
import { alternate, type Contenders } from "./alternate.ts";
import { atMost, type Findings, ratios, spreadOf } from "./report.ts";

const base = "openapi-fetch";
/**
 * Processors differ: on 2026-11-27, an Intel Xeon measured × 1.12 and × 1.37, and an AMD EPYC × 1.00 and × 1.16, with medians that
 * vary by 0.05 from run to run. These bars hold on both.
 */
const bars: Readonly<Record<string, number>> = {
  "@trainyard/inference, method": 1.2,
  "@trainyard/inference, http": 1.45,
};
const apiKey = "a-key-for-the-bench";
const body = {
  model: "demo/tiny",
  messages: [{ role: "user", content: "Does the 9:40 to Bergen carry bicycles?" }],
} as const satisfies ChatCompletionRequest;

function clientsOf(baseUrl: string): Contenders {
  const bare = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${apiKey}` } });
  const own = createInferenceClient({ baseUrl, apiKey });
  const http = createInferenceHttp({ baseUrl, apiKey });
  return {
    [base]: () => bare.POST("/chat/completions", { body }),
    "@trainyard/inference, method": () => own.chat.completions.create(body),
    "@trainyard/inference, http": () => http.POST("/chat/completions", { body }),
  };
}

/** The CPU time of one call, sequential, over loopback, with the service in another process. */
export async function calls(): Promise<Findings> {
  const cwd = import.meta.dirname;
  const { child, match } = await started(process.execPath, [join(cwd, "programs/service.ts")], { cwd }, /http:\S+/);
  try {
    const rounds = await alternate(clientsOf(match[0]), { rounds: 140, runs: 40, warmUp: 600 });
    return {
      how: "One chat completion after the other over loopback, 140 rounds of 40 calls in which the clients take turns. User and system time of the whole process of the client; the service runs in another. `pnpm bench --only CPU` measures this alone.",
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
