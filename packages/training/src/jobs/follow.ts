import type { CallOptions } from "@trainyard/core";
import { sleep } from "@trainyard/core/sleep";
import type { TrainingJobsMethods } from "../generated/client.ts";
import type { TrainingJobEvent } from "../generated/schema.ts";
import { TrainingFailedError } from "./training-failed-error.ts";

/** How to follow a training job. The options of a call apply to each poll, and `signal` to the waits between them. */
export interface FollowOptions extends CallOptions {
  /** The id of the last event that you have. Events after it are yielded. Default: all events. */
  after?: string | undefined;
  /** Milliseconds between two polls. While there are no events, it grows to at most five times this value. Default: 1,000. */
  pollMs?: number | undefined;
  /** Milliseconds for one poll with all its retries, which is how long an outage may last. Default: 300,000 (five minutes). */
  totalTimeoutMs?: number;
  /** The maximum number of retries of a poll. Default: as many as `totalTimeoutMs` allows. */
  maxRetries?: number;
}

/** The events of a job, in order, until it has ended. */
export async function* follow(
  jobs: Pick<TrainingJobsMethods, "events" | "get">,
  jobId: string,
  { after, pollMs = 1000, ...given }: FollowOptions = {},
  operation = "trainingJobs.follow",
): AsyncGenerator<TrainingJobEvent, undefined> {
  const options = { maxRetries: Infinity, totalTimeoutMs: 300_000, ...given };
  const seen = new Set([after]);
  let pause = pollMs;
  // The polls, for an error.
  let attempts = 0;
  // No event follows the last one, and only the job says that it has ended. Get the job first, because it may end meanwhile.
  const job = after === undefined ? undefined : await jobs.get(jobId, options);
  for (;;) {
    attempts++;
    for await (const event of jobs.events.list(jobId, { limit: 100, ...(after && { after }) }, options)) {
      if (options.signal?.aborted) break;
      if (seen.has(event.id)) continue;
      if (event.type === "training_failed")
        throw new TrainingFailedError({ operation, attempts }, jobId, event.data.error_message, event);
      after = event.id;
      seen.add(after);
      pause = pollMs;
      yield event;
      if (event.type === "training_ended") return;
    }
    if (job?.status === "failed")
      throw new TrainingFailedError({ operation, attempts }, jobId, job.error_message ?? "");
    if (job?.status === "completed") return;
    await sleep(pause, options.signal, operation);
    pause = Math.min(pause * 1.25, 5 * pollMs);
  }
}
