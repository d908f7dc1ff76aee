import type { CreateRlTrainingJobRequest, CreateSftTrainingJobRequest } from "@trainyard/training";
import { text } from "../row.ts";
import type { Context } from "./context.ts";

/** The part of a job's request that its trainer gets. */
export interface TrainerRequest {
  /** Members of a JSON object, as text: they can be as large as 128 MiB and must not be parsed again. */
  readonly members: string;
  /** Why there is nothing to train on. */
  readonly fault?: string;
  /** The URL of the data of a fine-tuning job. */
  readonly dataUrl?: string;
}

/** The fields of a job's request that the contract describes. The document validated it when the job was created. */
export function readTrainerRequest({ database }: Context, { jobId }: { jobId: string }): TrainerRequest {
  const row = database.get("select kind, request from jobs where id = :jobId", { jobId });
  if (row === undefined) throw new Error(`There is no job ${jobId}.`);
  const request = text(row, "request");
  if (text(row, "kind") === "rl") {
    const { trajectory_groups, experimental_config }: CreateRlTrainingJobRequest = JSON.parse(request);
    const empty = trajectory_groups.length === 0 && { fault: "There are no trajectory groups to train on." };
    return { members: membersOf({ trajectory_groups, experimental_config }), ...empty };
  }
  const { training_data_url: dataUrl, config, experimental_config }: CreateSftTrainingJobRequest = JSON.parse(request);
  return { members: membersOf({ config, experimental_config }), dataUrl };
}

/** The members of an object as JSON, without its braces. */
function membersOf(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
