import type { Checkpoint, TrainingJob } from "@trainyard/training";

export function summarize(
  job: TrainingJob,
  checkpoints: readonly Checkpoint[],
): string {
  const [newest] = checkpoints;
  const state =
    job.status === "failed"
      ? `failed: ${job.error_message ?? "no reason given"}`
      : (job.status ?? "unknown");
  return `${state}, at step ${newest?.step ?? 0} with a reward of ${newest?.metrics["train/reward"] ?? "nothing"}`;
}
