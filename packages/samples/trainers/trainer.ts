// A program that trains, for `trainyard serve --trainer "node trainer.ts"`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { TrainerEvent, TrainerJob } from "@trainyard/server";

// The input is one JSON document; the output is one JSON object per line.
const job: TrainerJob = JSON.parse(await text(process.stdin));
const say = (event: TrainerEvent) => console.log(JSON.stringify(event));

if ("training_data" in job) {
  const error_message = "This trainer learns only from rewards.";
  say({ type: "training_failed", data: { error_message } });
} else {
  // The untrained model has no files.
  const { directory } = job.checkpoint;
  const weights =
    directory === null
      ? { baseline: 0 }
      : JSON.parse(readFileSync(join(directory, "weights.json"), "utf8"));
  const groups = job.trajectory_groups.map(({ trajectories }) =>
    trajectories.map(({ reward = 0 }) => reward),
  );
  say({ type: "training_started", data: { num_sequences: groups.flat().length } });
  for (const rewards of groups) {
    for (const reward of rewards) {
      weights.baseline += 0.5 * (reward - weights.baseline);
    }
    const loss =
      rewards.reduce((sum, reward) => sum + (reward - weights.baseline) ** 2, 0) /
      Math.max(1, rewards.length);
    say({ type: "gradient_step", data: { loss } });
  }
  // The files here become those of the checkpoint if the job completes.
  const file = join(job.output.directory, "weights.json");
  writeFileSync(file, JSON.stringify(weights));
  say({ type: "training_ended", data: { step: job.output.step } });
}
