import type { CreateRlTrainingJobRequest, LogRequest } from "@trainyard/training";
import { readGroup } from "../console/group-facts.ts";
import { logMetrics, type LogMetrics } from "../logs/log-metrics.ts";

/** What is kept of a log besides its body. */
interface ReadLog extends LogMetrics {
  readonly split: string;
  /** The facts of its groups as JSON: one text passes between threads faster than many objects. */
  readonly groups: string;
}

/** What is kept of a job besides its body. */
interface ReadJob {
  readonly model_id: string;
  readonly groups: string;
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
    groups: JSON.stringify(log.trajectory_groups.map(readGroup)),
  }),
  "trainingJobs.createRl": (job: CreateRlTrainingJobRequest): ReadJob => ({
    model_id: job.model_id,
    groups: JSON.stringify(job.trajectory_groups.map(readGroup)),
    config: JSON.stringify(job.experimental_config ?? {}),
  }),
};
