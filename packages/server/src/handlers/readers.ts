import type { CreateRlTrainingJobRequest, LogRequest } from "@trainyard/training";
import { logMetrics, type LogMetrics } from "../logs/log-metrics.ts";

/** What is kept of a log besides its body. */
interface ReadLog extends LogMetrics {
  readonly split: string;
}

/**
 * What handlers of the training service need of a body, if that is less than the body. A large body is parsed in the
 * thread that validates it, and its value never reaches the thread of the port.
 */
export const readers = {
  "models.log": (log: LogRequest): ReadLog => ({ split: log.split, ...logMetrics(log) }),
  "trainingJobs.createRl": ({ model_id }: CreateRlTrainingJobRequest): { model_id: string } => ({ model_id }),
};
