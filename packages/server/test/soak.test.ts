import { randomBytes } from "node:crypto";
import { createAuxiliaryClient } from "@trainyard/auxiliary";
import { createInferenceClient } from "@trainyard/inference";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "./folders.ts";
import { memoryOf, startProcess, type OwnProcess } from "./own-process.ts";
import { whole } from "./whole.ts";

// `pnpm exec vitest run --project faults` runs for ten minutes.
const seconds = Number(process.env["SOAK_SECONDS"] ?? 1);
const workers = 16;

/** One round of a worker: calls every part of the services, and deletes what it created. */
async function work({ url, apiKey, training }: OwnProcess, round: string): Promise<void> {
  const project = `p${round.length % 4}`;
  const { id } = await training.models.create({ project, name: round, base_model: "demo/tiny" });
  const text = randomBytes(500 + Math.floor(Math.random() * 8000)).toString("hex");
  const messages = [{ role: "user" as const, content: text.slice(0, 200) }];
  const groups = [{ trajectories: [{ reward: Math.random(), messages_and_choices: messages, logs: [text] }] }];
  for (const split of ["train", "val"]) await training.models.log(id, { split, trajectory_groups: groups });
  const job = await training.trainingJobs.createRl({ model_id: id, trajectory_groups: groups });
  const inference = createInferenceClient({ baseUrl: `${url}/inference/v1`, apiKey, maxRetries: 0 });
  const request = { model: "demo/tiny", max_completion_tokens: 16, messages };
  for await (const _ of await inference.chat.completions.create({ ...request, stream: true }));
  const auxiliary = createAuxiliaryClient({ baseUrl: `${url}/auxiliary`, apiKey, maxRetries: 0 });
  // A different SQL statement each time.
  const json_path = `m${Math.floor(Math.random() * 1000)}`;
  const start = "2026-11-04T00:00:00Z";
  await auxiliary.feedback.stats({
    project_id: "crash/p",
    start,
    end: "2026-11-04T06:00:00Z",
    metrics: [{ json_path, percentiles: [Math.floor(Math.random() * 100)] }],
  });
  await training.trainingJobs.get(job.id);
  await training.models.checkpoints.list(id);
  await training.models.delete(id);
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

it.skipIf(!whole)(
  `works for ${seconds} s under mixed load without a failure, in constant memory`,
  async () => {
    const server = await startProcess(temporaryFolder());
    onTestFinished(() => server.kill());
    const end = Date.now() + seconds * 1000;
    let rounds = 0;
    const load = Array.from({ length: workers }, async (_, worker) => {
      do await work(server, `w${worker}-${rounds++}`);
      while (Date.now() < end);
    });
    const memory: number[] = [];
    const watch = (async () => {
      while (Date.now() < end) {
        memory.push(await memoryOf(server));
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    })();
    await Promise.all([...load, watch]);
    expect((await server.control.violations.list()).data).toEqual([]);
    expect(rounds).toBeGreaterThanOrEqual(workers);
    const part = (from: number, to: number) =>
      median(memory.slice(Math.floor(memory.length * from), Math.ceil(memory.length * to)));
    const [middle, last] = [part(0.45, 0.55), part(0.9, 1)];
    const tenths = Array.from({ length: 10 }, (_, tenth) => part(tenth / 10, (tenth + 1) / 10).toFixed(0));
    console.log(`${rounds} rounds; memory by tenths of the time, in MiB: ${tenths.join(", ")}.`);
    // In a short run, the memory of V8 still grows to its final size.
    if (seconds >= 300) expect(last / middle).toBeLessThan(1.1);
  },
  3_600_000,
);
