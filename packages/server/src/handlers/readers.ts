import type { CreateRlTrainingJobRequest, LogRequest } from "@trainyard/training";
import { readLog, type ReadLog } from "../logs/read-log.ts";

/**
 * What handlers of the training service ask of a body, where that is less than the body. A large one is read in the thread that
 * judges it, and the thread of the port never has its value.
 */
export const readers = {
  "models.log": (body: LogRequest): ReadLog => readLog(body),
  "trainingJobs.createRl": ({ model_id }: CreateRlTrainingJobRequest): { model_id: string } => ({ model_id }),
};
