import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { createInferenceClient } from "@trainyard/inference";
import { createTrainingClient } from "@trainyard/training";
import { quantile, type Result } from "./result.ts";

const seconds = 10;
const atOnce = 64;
const most = 50;

/**
 * How fast the local server returns its health while 64 rollouts are in progress at any time, and one training job
 * follows the other. Server, model and trainer are separate processes, as in normal use.
 */
export async function measureHealth(): Promise<Result[]> {
  const data = await mkdtemp(join(tmpdir(), "tiny-"));
  const server = await startServer(["--data", data, "--quiet"]);
  try {
    return await measure(server.url, server.key);
  } finally {
    server.process.kill();
    await once(server.process, "close");
    await rm(data, { recursive: true, force: true });
  }
}

async function measure(url: string, apiKey: string): Promise<Result[]> {
  const training = createTrainingClient({ baseUrl: url, apiKey });
  const inference = createInferenceClient({ baseUrl: `${url}/inference/v1`, apiKey });
  const model = await training.models.create({ project: "support-desk", name: "bench", base_model: "demo/tiny" });
  const name = `artifact:///${model.entity}/${model.project}/${model.name}:latest`;
  const messages = [{ role: "user" as const, content: "Will it work?" }];
  const until = performance.now() + seconds * 1000;
  let rollouts = 0;
  let jobs = 0;

  const rollOut = async () => {
    const completion = await inference.chat.completions.create({ model: name, messages, logprobs: true });
    rollouts++;
    const [choice] = completion.choices;
    if (choice === undefined) throw new Error("There is no choice in the answer.");
    return { messages_and_choices: [...messages, choice], reward: Math.random() };
  };
  const roll = async () => {
    while (performance.now() < until) await rollOut();
  };
  const train = async () => {
    while (performance.now() < until) {
      const trajectories = await Promise.all(Array.from({ length: 96 }, rollOut));
      const job = await training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: [{ trajectories }] });
      await training.trainingJobs.wait(job.id);
      jobs++;
    }
  };
  // The health requests run in a thread of their own, so that the rollouts of this one do not delay them.
  const asking = new Worker(new URL("ask-health.ts", import.meta.url), {
    workerData: { url, milliseconds: seconds * 1000 },
  });
  const measured = once(asking, "message").then(([times]) => numbersOf(times));
  await Promise.all([...Array.from({ length: atOnce }, roll), train()]);
  const latencies = await measured;
  const p99 = quantile(latencies, 0.99);
  return [
    { what: `rollouts a second, ${atOnce} at once`, measured: (rollouts / seconds).toFixed(0) },
    { what: "training jobs meanwhile", measured: `${jobs} in ${seconds} s` },
    { what: "p50 of /v1/health meanwhile", measured: `${quantile(latencies).toFixed(1)} ms` },
    { what: "p99 of /v1/health meanwhile", measured: `${p99.toFixed(1)} ms`, bar: `below ${most} ms`, met: p99 < most },
  ];
}

interface RunningServer {
  readonly process: ChildProcess;
  readonly url: string;
  readonly key: string;
}

async function startServer(args: readonly string[]): Promise<RunningServer> {
  const cli = fileURLToPath(new URL("../../../server/src/cli.ts", import.meta.url));
  const options = ["--conditions=@trainyard/source", "--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...options, cli, "serve", "--port", "0", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const values = new Map<string, string>();
  for await (const line of createInterface({ input: child.stdout })) {
    const [word = "", value = ""] = line.split(/\s+/);
    values.set(word, value);
    if (values.has("training") && values.has("key")) break;
  }
  const [url, key] = [values.get("training"), values.get("key")];
  if (url === undefined || key === undefined) throw new Error("The local server did not start.");
  return { process: child, url, key };
}

function numbersOf(value: unknown): number[] {
  return Array.isArray(value) ? value.map(Number) : [];
}
