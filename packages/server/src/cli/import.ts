import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { readArguments } from "@trainyard/terminal/arguments";
import { UsageError } from "@trainyard/terminal/command";
import { fileLines } from "@trainyard/terminal/lines";
import type { ImportState, LineFault, LocalClient } from "@trainyard/local";
import { foreignFormat } from "../import/formats.ts";
import { importKindOf, type ImportKind } from "../import/kinds.ts";
import { noArtifact } from "../import/record-readers.ts";
import { parseArtifactUrl } from "../jobs/training-data.ts";
import { openControl } from "./control.ts";

export const help = `trainyard import <kind> FILE…: loads data that no service has an operation for

  kind                  models, jobs, feedback, objects, hardware, artifacts, or logs: rollouts of any trainer
  FILE                  JSON Lines. If a line is invalid, nothing of the file is imported
  --data <folder>       the data folder; .trainyard by default. Its server may be running
  --as <address>        with artifacts, the address of the file: artifact:///entity/project/name:version
                        with logs, the run of lines that name none: artifact:///entity/project/name`;

/** Imports files, through the server of the data folder if one is running. */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { data: { type: "string", default: ".trainyard" }, as: { type: "string" } },
  });
  const [name, ...files] = positionals;
  const kind = importKindOf(name);
  if (kind === undefined || files.length === 0)
    throw new UsageError("Name one of the kinds, and at least one file: trainyard import models models.jsonl");
  const { client, close } = await openControl(values.data);
  try {
    for (const file of files) await importOne(kind, file, values.as, client);
  } finally {
    await close();
  }
}

async function importOne(kind: ImportKind, file: string, as: string | undefined, client: LocalClient): Promise<void> {
  const shows = process.stderr.isTTY;
  const uses: Record<"checked" | "ignored", Map<string, number>> = { checked: new Map(), ignored: new Map() };
  const records = await importFile(kind, file, client, {
    as,
    used: (state) => {
      for (const [use, fields] of Object.entries(uses))
        for (const [field, count] of Object.entries(state[use as keyof typeof uses] ?? {}))
          fields.set(field, (fields.get(field) ?? 0) + count);
    },
    fault: ({ line, message }) => console.error(`${file}:${line}: ${message}`),
    progress: (lines, part) => {
      if (shows) process.stderr.write(`\r${file}: ${lines} lines, ${Math.floor(part * 100)} %`);
    },
  });
  if (shows) process.stderr.write("\n");
  const again = kind === "logs" && records === 0 ? " This file was imported before, or is empty: nothing changed." : "";
  console.log(`${file}: ${records} records of ${kind} imported.${again}`);
  for (const [use, fields] of Object.entries(uses))
    if (fields.size > 0)
      console.log(`  ${use}: ${[...fields].map(([name, count]) => `${name} (${count})`).join(", ")}`);
}

const chunkLines = 1000;
const chunkCharacters = 2 ** 22;

/** The options of an import of a file. */
export interface ImportFileOptions {
  /** The address of artifacts: `artifact:///entity/project/name:version`. */
  readonly as?: string | undefined;
  /** Receives each invalid line. */
  readonly fault?: (fault: LineFault) => void;
  /** Receives how many lines were read, and the fraction of the file. */
  readonly progress?: (lines: number, part: number) => void;
  /** Receives, chunk by chunk, how many lines of logs have a field that was checked against the body, or is not read. */
  readonly used?: (fields: Pick<ImportState, "checked" | "ignored">) => void;
}

/**
 * Imports a file of JSON Lines: all of its records, or none if a line is invalid. An interrupted import is resumed.
 *
 * @param client calls the server that receives the records
 * @returns how many records were imported
 * @throws Error if lines are invalid, or contradict existing data
 */
export async function importFile(
  kind: ImportKind,
  file: string,
  client: LocalClient,
  { as, fault, progress, used }: ImportFileOptions,
): Promise<number> {
  if (kind === "artifacts" && parseArtifactUrl(as ?? "") === undefined) throw new UsageError(noArtifact);
  const { size } = await stat(file).catch((cause: unknown) => {
    throw new Error(`The file ${file} cannot be read. Check that it exists, and that you may read it.`, { cause });
  });
  for await (const line of fileLines(file)) {
    const foreign = foreignFormat(kind, line);
    if (foreign !== undefined) throw new Error(`${file}: ${foreign}`);
    if (line.trim() !== "") break;
  }
  const id = await digestOf(file, `${kind} ${as ?? ""}`);
  let here = (await client.imports.begin({ id, kind })).lines;
  let bad = 0;
  let read = 0;
  let characters = 0;
  for await (const lines of chunksOf(file)) {
    const [from, to] = [read, read + lines.length];
    read = to;
    characters += lines.reduce((sum, line) => sum + line.length + 1, 0);
    progress?.(read, Math.min(1, characters / size));
    if (to <= here) continue;
    // The chunk of an earlier, interrupted import may have ended within this one.
    const start = Math.max(from, here);
    const chunk = { id, kind, ...(as !== undefined && { as }), from: start, lines: lines.slice(start - from) };
    const state = await client.imports.add({ ...chunk, check: bad > 0 });
    for (const one of state.faults) fault?.(one);
    used?.(state);
    bad += state.faults.length;
    if (bad === 0) here = state.lines;
  }
  if (bad > 0) {
    await client.imports.abort({ id });
    throw new Error(`${bad} of ${read} lines are invalid. Nothing was imported.`);
  }
  return (await client.imports.finish({ id })).records;
}

async function* chunksOf(file: string): AsyncGenerator<string[]> {
  let chunk: string[] = [];
  let characters = 0;
  for await (const line of fileLines(file)) {
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
