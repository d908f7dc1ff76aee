import type { CreateRlTrainingJobRequest, LogRequest } from "@trainyard/training";
import { logMetrics, type LogMetrics } from "../logs/log-metrics.ts";

/** What is kept of a log beside its body. */
interface ReadLog extends LogMetrics {
  readonly split: string;
}

/**
 * What handlers of the training service ask of a body, where that is less than the body. A large one is read in the thread that
 * judges it, and the thread of the port never has its value.
 */
export const readers = {
  "models.log": (log: LogRequest): ReadLog => ({ split: log.split, ...logMetrics(log) }),
  "trainingJobs.createRl": ({ model_id }: CreateRlTrainingJobRequest): { model_id: string } => ({ model_id }),
};
