import type { LogRequest } from "@trainyard/training";
import { logMetrics, type LogMetrics } from "./log-metrics.ts";

/** What is kept of a log beside its body. */
export interface ReadLog extends LogMetrics {
  readonly split: string;
}

/** Reads a log that the contract allows. */
export function readLog(log: LogRequest): ReadLog {
  return { split: log.split, ...logMetrics(log) };
}
