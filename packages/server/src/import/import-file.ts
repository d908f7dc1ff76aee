import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { LineFault, LocalClient } from "@trainyard/local";
import { parseArtifactUrl } from "../jobs/training-data.ts";
import type { ImportKind } from "./kinds.ts";
import { noArtifact } from "./record-readers.ts";

/** The options of an import. */
export interface ImportFileOptions {
  readonly kind: ImportKind;
  readonly file: string;
  /** The address of artifacts: `artifact:///entity/project/name:version`. */
  readonly as?: string | undefined;
  /** Calls the server that receives the records. */
  readonly client: LocalClient;
  /** Receives each invalid line. */
  fault(fault: LineFault): void;
  /** Receives how many lines were read, and the fraction of the file. */
  progress?(lines: number, part: number): void;
  /** Stops the import when it aborts; the next import of the file resumes there. */
  readonly signal?: AbortSignal;
}

const chunkLines = 1000;
const chunkCharacters = 2 ** 22;

/**
 * Imports a file of JSON Lines: all of its records, or none if a line is invalid. An interrupted import is resumed.
 *
 * @returns how many records were imported
 * @throws Error if lines are invalid, or contradict existing data
 */
export async function importFile(options: ImportFileOptions): Promise<number> {
  const { kind, file, as, signal, client } = options;
  const calls = signal ? { signal } : {};
  if (kind === "artifacts" && parseArtifactUrl(as ?? "") === undefined) throw new Error(noArtifact);
  const { size } = await stat(file).catch((cause: unknown) => {
    throw new Error(`The file ${file} cannot be read. Is it there?`, { cause });
  });
  const id = await digestOf(file, `${kind} ${as ?? ""}`);
  let here = (await client.imports.begin({ id, kind }, calls)).lines;
  let bad = 0;
  let read = 0;
  let characters = 0;
  for await (const lines of chunksOf(file, signal)) {
    const [from, to] = [read, read + lines.length];
    read = to;
    characters += lines.reduce((sum, line) => sum + line.length + 1, 0);
    options.progress?.(read, Math.min(1, characters / size));
    if (to <= here) continue;
    // The chunk of an earlier, interrupted import may have ended within this one.
    const start = Math.max(from, here);
    const chunk = { id, kind, ...(as !== undefined && { as }), from: start, lines: lines.slice(start - from) };
    const state = await client.imports.add({ ...chunk, check: bad > 0 }, calls);
    for (const fault of state.faults) options.fault(fault);
    bad += state.faults.length;
    if (bad === 0) here = state.lines;
  }
  if (bad > 0) {
    await client.imports.abort({ id }, calls);
    throw new Error(`${bad} of ${read} lines are invalid. Nothing was imported.`);
  }
  return (await client.imports.finish({ id }, calls)).records;
}

async function* chunksOf(file: string, signal?: AbortSignal): AsyncGenerator<string[]> {
  let chunk: string[] = [];
  let characters = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    signal?.throwIfAborted();
    if (chunk.length > 0 && (chunk.length >= chunkLines || characters + line.length > chunkCharacters)) {
      yield chunk;
      chunk = [];
      characters = 0;
    }
    chunk.push(line);
    characters += line.length;
  }
  if (chunk.length > 0) yield chunk;
}

async function digestOf(file: string, salt: string): Promise<string> {
  const hash = createHash("sha256").update(`${salt}\n`);
  for await (const part of createReadStream(file)) hash.update(part);
  return hash.digest("base64url");
}
