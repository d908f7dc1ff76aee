// Shared by the tests of training jobs.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TrainingClient, TrainingJob, TrainingJobEvent } from "@trainyard/training";
import type { TrainerOptions } from "../src/index.ts";
import { until } from "./lib.ts";

const programs = join(import.meta.dirname, "programs");

/** The small real trainer of the tests. */
export const trainer: TrainerOptions = {
  command: [process.execPath, "--disable-warning=ExperimentalWarning", join(programs, "trainer.ts")],
  jobs: 2,
};

/** A trainer that runs the script of its job: see `script`. */
export const scriptedTrainer: TrainerOptions = {
  command: [process.execPath, join(programs, "scripted-trainer.mjs"), "an argument"],
  jobs: 2,
};

/** A group with the behavior of a test trainer. */
export function groupsOf(metadata: Record<string, string>) {
  return [{ trajectories: [{ reward: 1 }], metadata }];
}

/** A group with the script of the scripted trainer. */
export function script(...actions: unknown[][]) {
  return groupsOf({ script: JSON.stringify(actions) });
}

export function newModel(training: TrainingClient) {
  return training.models.create({ project: "support-desk", name: crypto.randomUUID(), base_model: "demo/tiny" });
}

/** Waits for the end of a job. */
export function ended(training: TrainingClient, id: string): Promise<TrainingJob> {
  return until(async () => {
    const job = await training.trainingJobs.get(id);
    return (job.status === "completed" || job.status === "failed") && job;
  });
}

export async function eventsOf(training: TrainingClient, id: string): Promise<TrainingJobEvent[]> {
  const events: TrainingJobEvent[] = [];
  for await (const event of training.trainingJobs.events.list(id, { limit: 100 })) events.push(event);
  return events;
}

/** The notes of a trainer in its log: `1` for a first attempt, `gone` if the server was gone. */
export function notesIn(log: string): { pid: number; what: string }[] {
  if (!existsSync(log)) return [];
  // The last line may still be missing, and so may the first.
  const lines = readFileSync(log, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => ({ pid: Number(line.split(" ")[0]), what: line.split(" ")[1] ?? "" }));
}

/** Whether a program that this process started runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
