import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { createInferenceClient } from "@trainyard/inference";
import { started } from "@trainyard/release/run";
import { root } from "@trainyard/release/workspace";
import { createTrainingClient } from "@trainyard/training";
import { atMost, type Findings, spreadOf } from "./report.ts";

const seconds = 10;
const concurrency = 64;

/** How fast the tiny model samples and trains, and whether the local server answers others meanwhile. */
export async function tiny(): Promise<Findings> {
  const node = ["--conditions=@trainyard/source", "--disable-warning=ExperimentalWarning"];
  const serve = [join(root, "packages/trainyard/src/cli.ts"), "serve", "--port", "0", "--data", "memory", "--quiet"];
  const ready = /training\s+(http\S+)[^]*key\s+(\S+)/;
  const { child, match } = await started(process.execPath, [...node, ...serve], { cwd: root }, ready);
  const [, url = "", apiKey = ""] = match;
  try {
    const training = createTrainingClient({ baseUrl: url, apiKey });
    const inference = createInferenceClient({ baseUrl: `${url}/inference/v1`, apiKey });
    const { id, ...model } = await training.models.create({ project: "p", name: "bench", base_model: "demo/tiny" });
    const name = `artifact:///${model.entity}/${model.project}/${model.name}:latest`;
    const messages = [{ role: "user" as const, content: "Will it work?" }];
    const until = Date.now() + seconds * 1000;
    let [rollouts, tokens, jobs] = [0, 0, 0];

    const rollOut = async () => {
      const { choices, usage } = await inference.chat.completions.create({ model: name, messages, logprobs: true });
      const [choice] = choices;
      if (choice === undefined) throw new Error("There is no choice in the answer.");
      rollouts++;
      tokens += usage?.completion_tokens ?? 0;
      return { messages_and_choices: [...messages, choice], reward: Math.random() };
    };
    const sample = async () => {
      while (Date.now() < until) await rollOut();
    };
    const train = async () => {
      while (Date.now() < until) {
        const trajectories = await Promise.all(Array.from({ length: 96 }, rollOut));
        const job = await training.trainingJobs.createRl({ model_id: id, trajectory_groups: [{ trajectories }] });
        await training.trainingJobs.wait(job.id);
        jobs++;
      }
    };
    // The health requests run in a thread of their own, so that the rollouts of this one do not delay them.
    const health = new Worker(new URL("programs/health.ts", import.meta.url), { workerData: { url, until } });
    const measured = once(health, "message").then(([times]): number[] => times);
    await Promise.all([...Array.from({ length: concurrency }, sample), train()]);
    const latencies = (await measured).toSorted((a, b) => a - b);
    const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? NaN;
    return {
      how: `A local server with its own model and trainer, ${concurrency} rollouts in progress at any time and one job after the other, for ${seconds} seconds.`,
      rows: [
        { what: "rollouts a second", measured: (rollouts / seconds).toFixed(0) },
        { what: "tokens sampled a second", measured: (tokens / seconds).toFixed(0) },
        { what: "jobs of 96 rollouts", measured: String(jobs) },
        { what: "/v1/health meanwhile, median", measured: `${spreadOf(latencies).median.toFixed(1)} ms` },
        { what: "/v1/health meanwhile, p99", measured: `${p99.toFixed(1)} ms`, ...atMost(p99, 50, "50 ms") },
      ],
    };
  } finally {
    child.kill();
  }
}
