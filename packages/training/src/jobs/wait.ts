import { ConfigurationError, TrainyardError } from "@trainyard/core";
import type { TrainingClient } from "../generated/client.ts";
import type { Checkpoint } from "../generated/schema.ts";
import { follow, type FollowOptions } from "./follow.ts";

/** How to wait for a training job. */
export interface WaitOptions extends FollowOptions {
  /** The id of the job's model, which the job does not name. Default: the model that this client created the job for. */
  modelId?: string | undefined;
}

/** The checkpoint of a job, once it has completed. */
export async function wait(
  { models, trainingJobs }: Pick<TrainingClient, "models" | "trainingJobs">,
  jobId: string,
  { modelId, after, ...options }: WaitOptions,
): Promise<Checkpoint> {
  if (!modelId) throw new ConfigurationError(`Not created by this client, the job ${jobId} needs modelId.`);
  let id: unknown;
  for await (const event of follow(trainingJobs, jobId, { after, ...options }, "trainingJobs.wait"))
    if (event.type === "training_ended") id = event.data["checkpoint_id"];
  for await (const checkpoint of models.checkpoints.list(modelId, { order: "desc" }, options))
    if (typeof id !== "string" || checkpoint.id === id) return checkpoint;
  throw new TrainyardError(`The checkpoint of the training job ${jobId} was deleted.`);
}
