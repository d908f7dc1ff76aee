import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { bundle, DocumentError, type OpenApiDocument, type Problem, sourceOf } from "@trainyard/document/files";

/** An edit of a file of the library: its new text. A file that does not exist is empty before. */
export type Edits = Record<string, (text: string) => string>;

/** The library in the repository. Read-only. */
export const original: string = join(import.meta.dirname, "../fixtures/library");

/** A separate repository with one service, `atlas`, which is not part of this project. It is removed after the test. */
export function library(edits: Edits = {}): string {
  const root = mkdtempSync(join(tmpdir(), "trainyard-library-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(original, root, { recursive: true });
  for (const [file, edit] of Object.entries(edits)) {
    const path = join(root, file);
    const before = existsSync(path) ? readFileSync(path, "utf8") : "";
    const after = edit(before);
    if (after === before) throw new Error(`The edit of ${file} changes nothing.`);
    writeFileSync(path, after);
  }
  return root;
}

/** The generated folder of the library's one service. */
export function generated(root: string): string {
  return join(root, "packages/atlas/src/generated");
}

let atlas: Promise<OpenApiDocument> | undefined;

/** The library's bundle, created once for all tests of a worker. Read-only. */
export function atlasBundle(): Promise<OpenApiDocument> {
  return (atlas ??= bundle(original, sourceOf("atlas")));
}

/** The problems for which a document is refused. */
export async function refusal(work: Promise<unknown>): Promise<readonly Problem[]> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof DocumentError)) throw new Error("It should have been refused.", { cause: error });
  return error.problems;
}
