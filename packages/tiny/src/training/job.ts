import { isObject, type JsonObject } from "@trainyard/core/validation";

/** A training job as the local server gives it to a program. */
export interface Job {
  readonly kind: "rl" | "sft";
  readonly model: {
    readonly entity: string;
    readonly project: string;
    readonly name: string;
    readonly baseModel: string;
  };
  /** The checkpoint that training starts from: the base model has step 0 and no folder. */
  readonly checkpoint: { readonly step: number; readonly directory: string | undefined };
  /** The folder for the new checkpoint; it exists. */
  readonly output: { readonly step: number; readonly directory: string };
  /** The file of training data of a fine-tuning job. */
  readonly dataFile: string | undefined;
  /** The other fields of the request, with their names. */
  readonly request: JsonObject;
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
  const { job, model, checkpoint, output, training_data: data } = value;
  const kind = isObject(job) ? job["kind"] : undefined;
  if (kind !== "rl" && kind !== "sft") throw new Error("The job's job.kind is neither rl nor sft.");
  if (!isObject(model)) throw new Error("The job has no model.");
  if (!isObject(output)) throw new Error("The job has no output.");
  const start = isObject(checkpoint) ? checkpoint : {};
  return {
    kind,
    model: {
      entity: textOf(model, "model", "entity"),
      project: textOf(model, "model", "project"),
      name: textOf(model, "model", "name"),
      baseModel: textOf(model, "model", "base_model"),
    },
    checkpoint: {
      step: start["step"] === undefined || start["step"] === null ? 0 : stepOf(start, "checkpoint"),
      directory: typeof start["directory"] === "string" ? start["directory"] : undefined,
    },
    output: { step: stepOf(output, "output"), directory: textOf(output, "output", "directory") },
    dataFile: isObject(data) && typeof data["file"] === "string" ? data["file"] : undefined,
    request: value,
  };
}

function textOf(parent: JsonObject, name: string, field: string): string {
  const value = parent[field];
  if (typeof value === "string" && value !== "") return value;
  throw new Error(`The job's ${name}.${field} is not a string.`);
}

function stepOf(parent: JsonObject, name: string): number {
  const { step } = parent;
  if (typeof step === "number" && Number.isSafeInteger(step) && step >= 0) return step;
  throw new Error(`The job's ${name}.step is not a valid step.`);
}
