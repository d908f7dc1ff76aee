import type { CreateRlTrainingJobRequest, LogRequest, TrajectoryGroup } from "@trainyard/training";
import { readGroup } from "../console/group-facts.ts";
import { logMetrics, type LogMetrics } from "../logs/log-metrics.ts";

/** What is kept of a log besides its body. */
interface ReadLog extends LogMetrics {
  readonly split: string;
  /** The facts of its groups as lists in JSON: few texts pass between threads faster than many objects. */
  readonly groups: readonly string[];
}

/** What is kept of a job besides its body. */
interface ReadJob {
  readonly model_id: string;
  readonly groups: readonly string[];
  readonly counts: { readonly groups: number; readonly sequences: number };
  /** How to train, as JSON. */
  readonly config: string;
}

/**
 * What handlers of the training service need of a body, if that is less than the body. A large body is parsed in the
 * thread that validates it, and its value never reaches the thread of the port.
 */
export const readers = {
  "models.log": (log: LogRequest): ReadLog => ({
    split: log.split,
    ...logMetrics(log),
    groups: factsOf(log.trajectory_groups),
  }),
  "trainingJobs.createRl": (job: CreateRlTrainingJobRequest): ReadJob => ({
    model_id: job.model_id,
    groups: factsOf(job.trajectory_groups),
    counts: {
      groups: job.trajectory_groups.length,
      sequences: job.trajectory_groups.reduce((sum, { trajectories }) => sum + trajectories.length, 0),
    },
    config: JSON.stringify(job.experimental_config ?? {}),
  }),
};

/** The length of a text of facts, which takes the writing thread a few hundredths of a second. */
const piece = 2 ** 18;

function factsOf(groups: readonly TrajectoryGroup[]): string[] {
  const [texts, pieces]: [string[], string[]] = [[], []];
  let size = 0;
  for (const [at, group] of groups.entries()) {
    const text = JSON.stringify(readGroup(group));
    size += text.length;
    texts.push(text);
    if (size < piece && at < groups.length - 1) continue;
    pieces.push(`[${texts.splice(0).join()}]`);
    size = 0;
  }
  return pieces;
}
