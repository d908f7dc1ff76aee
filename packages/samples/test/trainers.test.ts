import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "@trainyard/server";
import { createTrainingClient, type TrainingJob } from "@trainyard/training";
import { expect, it, onTestFinished, vi } from "vitest";

const trainers = join(import.meta.dirname, "../trainers");
const python = spawnSync("python3", ["-c", "import json"]).status === 0;
const node = [process.execPath, "--disable-warning=ExperimentalWarning"];

for (const [file, program, runs, isLong] of [
  ["trainer.ts", node, true, false],
  ["trainer.py", ["python3"], python, true],
] as const) {
  it.skipIf(!runs)(
    `${file} trains step after step, and reports what it cannot train`,
    isLong ? { tags: ["long"] } : {},
    async () => {
      const checkpoints = mkdtempSync(join(tmpdir(), "trainyard-trainers-"));
      onTestFinished(() => rmSync(checkpoints, { recursive: true, force: true }));
      const [command = "", ...args] = program;
      const server = createServer({
        checkpoints,
        trainer: { command: [command, ...args, join(trainers, file)] },
      });
      onTestFinished(() => server.close());
      const training = createTrainingClient(server.connect("training"));
      // Faster than `wait`, which polls every second as a real program should.
      const ended = (job: TrainingJob) =>
        vi.waitUntil(
          async () => {
            const found = await training.trainingJobs.get(job.id);
            return found.status === "completed" || found.status === "failed"
              ? found
              : undefined;
          },
          { interval: 20, timeout: 20_000 },
        );
      const { id, entity } = await training.models.create({
        project: "support-desk",
        name: "agent-1",
        base_model: "demo/tiny",
      });
      for (const [step, baseline] of [
        [1, 0.75],
        [2, 0.9375],
      ] as const) {
        const job = await training.trainingJobs.createRl({
          model_id: id,
          trajectory_groups: [{ trajectories: [{ reward: 1 }, { reward: 1 }] }],
        });
        expect(await ended(job)).toMatchObject({ status: "completed" });
        const weights = readFileSync(
          join(checkpoints, id, `step${step}`, "weights.json"),
          "utf8",
        );
        expect(JSON.parse(weights)).toEqual({ baseline });
      }
      const as = `artifact:///${entity}/support-desk/conversations:v1`;
      await server.import("artifacts", [{ messages: [] }], { as });
      const job = await training.trainingJobs.createSft({
        model_id: id,
        training_data_url: as,
      });
      expect((await ended(job)).error_message).toBe(
        "This trainer learns only from rewards.",
      );
    },
  );
}
