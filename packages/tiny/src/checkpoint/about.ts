import { isObject } from "@trainyard/core/validation";

/** The metadata of a checkpoint. */
export interface CheckpointAbout {
  readonly format: 2;
  /** The model that the weights belong to. */
  readonly model: { readonly entity: string; readonly project: string; readonly name: string };
  readonly step: number;
  /** The base model: `demo/tiny`. */
  readonly base_model: string;
  readonly weights: { readonly file: string; readonly bytes: number; readonly sha256: string };
}

/** Reads the metadata of a checkpoint. A string says what is invalid, and follows the file's name in messages. */
export function parseAbout(text: string): CheckpointAbout | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "is not valid JSON";
  }
  if (!isObject(value)) return "is not a JSON object";
  const { format, model, step, base_model, weights } = value;
  if (format !== 2) return `is of format ${JSON.stringify(format)}, and this version reads format 2`;
  if (typeof step !== "number" || !Number.isSafeInteger(step) || step < 0) return "has no step";
  if (typeof base_model !== "string") return "has no base_model";
  if (!isObject(model)) return "has no model";
  const { entity, project, name } = model;
  if (typeof entity !== "string" || typeof project !== "string" || typeof name !== "string")
    return "does not name its model";
  if (!isObject(weights)) return "has no weights";
  const { file, bytes, sha256 } = weights;
  // The file is in the same folder, so it must be a name without a path.
  if (typeof file !== "string" || !/^\w[\w.-]*$/.test(file)) return "does not name the file of its weights";
  if (typeof bytes !== "number" || typeof sha256 !== "string") return "has no checksum of its weights";
  return { format, model: { entity, project, name }, step, base_model, weights: { file, bytes, sha256 } };
}
