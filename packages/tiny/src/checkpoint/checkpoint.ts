import { open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TinyModel } from "../model/tiny-model.ts";
import { parseAbout, type CheckpointAbout } from "./about.ts";

/** The metadata file of a checkpoint. It is written last, so a folder that contains it is complete. */
export const aboutFile = "checkpoint.json";
const weightsFile = "weights.f32";

/** The content of a checkpoint. */
export interface Checkpoint {
  readonly model: TinyModel;
  readonly about: CheckpointAbout;
}

/** A checkpoint that does not exist, or was changed or damaged. */
export class CheckpointError extends Error {
  override readonly name = "CheckpointError";
  readonly kind: "missing" | "damaged";

  constructor(kind: CheckpointError["kind"], message: string, { cause }: { cause?: unknown } = {}) {
    super(message, { cause });
    this.kind = kind;
  }
}

/**
 * Writes a checkpoint to an existing folder: a complete one, or none that `readCheckpoint` accepts. Each file is
 * written under another name, flushed to disk, and renamed; the metadata file comes last.
 */
export async function writeCheckpoint(
  directory: string,
  model: TinyModel,
  about: Omit<CheckpointAbout, "format" | "weights">,
): Promise<void> {
  const { weights } = model;
  const bytes = littleEndian(new Uint8Array(weights.buffer, weights.byteOffset, weights.byteLength).slice());
  const whole: CheckpointAbout = {
    format: 2,
    ...about,
    weights: { file: weightsFile, bytes: bytes.byteLength, sha256: await digestOf(bytes) },
  };
  // Delete the metadata first, so that an existing checkpoint becomes invalid before any of it is replaced.
  await rm(join(directory, aboutFile), { force: true });
  await writeWhole(join(directory, weightsFile), bytes);
  await writeWhole(join(directory, aboutFile), new TextEncoder().encode(`${JSON.stringify(whole, undefined, 2)}\n`));
  await syncFolder(directory);
}

/**
 * Reads a checkpoint and verifies its checksum.
 *
 * @throws CheckpointError that names the file and the fix
 */
export async function readCheckpoint(directory: string): Promise<Checkpoint> {
  const about = await readAbout(directory);
  const file = join(directory, about.weights.file);
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw damaged(file, "is not there", cause);
  });
  const { length } = bytes;
  if (length !== about.weights.bytes) throw damaged(file, `has ${length} bytes, not ${about.weights.bytes}`);
  if ((await digestOf(bytes)) !== about.weights.sha256)
    throw damaged(file, "is not what was written: its checksum differs");
  // A view of floats must start at a multiple of four; a buffer from Node's pool may not.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  littleEndian(aligned);
  try {
    return { model: new TinyModel(new Float32Array(aligned.buffer, aligned.byteOffset, length / 4)), about };
  } catch (cause) {
    throw damaged(file, "is of a model of another size", cause);
  }
}

/**
 * Reads the metadata of a checkpoint, without its weights.
 *
 * @throws CheckpointError that names the file and the fix
 */
export async function readAbout(directory: string): Promise<CheckpointAbout> {
  const file = join(directory, aboutFile);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    const message = `There is no checkpoint in ${directory}: ${aboutFile} is missing. Train the model to this step again.`;
    throw new CheckpointError("missing", message, { cause });
  }
  const about = parseAbout(text);
  if (typeof about === "string") throw damaged(file, about);
  return about;
}

function damaged(file: string, fault: string, cause?: unknown): CheckpointError {
  const cure = "Delete this checkpoint and train the model to this step again, or go on from an earlier one.";
  return new CheckpointError("damaged", `The checkpoint is damaged: ${file} ${fault}. ${cure}`, { cause });
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The file is little-endian, like the memory of nearly every machine; others swap the bytes. */
function littleEndian<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  const isLittle = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
  if (!isLittle) Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).swap32();
  return bytes;
}

async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${file}.${crypto.randomUUID()}.partial`;
  await writeFile(temporary, bytes, { flush: true });
  await rename(temporary, file);
}

/** Some systems cannot open a folder, and do not need to flush it. */
async function syncFolder(directory: string): Promise<void> {
  const handle = await open(directory, "r").catch(() => undefined);
  try {
    await handle?.sync();
  } catch {
    // As above.
  } finally {
    await handle?.close();
  }
}
