import { isObject } from "@trainyard/core/validation";

/** What this trainer reads of a training job, as the local server gives it to a program. */
export interface Job {
  readonly job: { readonly kind: "rl" | "sft" };
  readonly model: {
    readonly entity: string;
    readonly project: string;
    readonly name: string;
    readonly base_model: string;
  };
  /** The checkpoint that training starts from: the base model has step 0 and no folder. */
  readonly checkpoint?: { readonly step?: number | null; readonly directory?: string | null } | null;
  /** The folder for the new checkpoint; it exists. */
  readonly output: { readonly step: number; readonly directory: string };
  /** The file of training data of a fine-tuning job. */
  readonly training_data?: { readonly file?: string } | null;
  readonly trajectory_groups?: unknown;
  readonly experimental_config?: unknown;
  readonly config?: unknown;
}

/**
 * Reads a job.
 *
 * @throws Error that names what is missing: a mistake of the caller of this program, not of the author of the request
 */
export function parseJob(text: string): Job {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error("Standard input is not valid JSON. The program reads one training job from it.", { cause });
  }
  if (!isObject(value)) throw new Error("The job is not a JSON object.");
  const { model, output, checkpoint } = value;
  const { kind } = Object(value["job"]);
  if (kind !== "rl" && kind !== "sft") throw new Error("The job's job.kind is neither rl nor sft.");
  if (!isObject(model)) throw new Error("The job has no model.");
  if (!isObject(output)) throw new Error("The job has no output.");
  const texts = { model: ["entity", "project", "name", "base_model"], output: ["directory"] };
  for (const [name, fields] of Object.entries(texts))
    for (const field of fields)
      if (typeof Object(value[name])[field] !== "string" || Object(value[name])[field] === "")
        throw new Error(`The job's ${name}.${field} is not a string.`);
  const steps = { output: output["step"], checkpoint: Object(checkpoint).step ?? 0 };
  for (const [name, step] of Object.entries(steps))
    if (!Number.isSafeInteger(step) || Number(step) < 0) throw new Error(`The job's ${name}.step is not a valid step.`);
  return value as unknown as Job;
}
