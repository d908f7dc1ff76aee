import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { bundle } from "../src/bundle.ts";
import type { OpenApiDocument } from "../src/document.ts";

/** What a test does to a file of the library: another text, or none. */
export type Edits = Record<string, (text: string) => string>;

/** The library as it stands in the repository: to be read alone. */
export const original: string = join(import.meta.dirname, "../fixtures/library");

/** A repository of its own with one service, `atlas`, which is none of ours. It is removed after the test. */
export function library(edits: Edits = {}): string {
  const root = mkdtempSync(join(tmpdir(), "trainyard-library-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(original, root, { recursive: true });
  for (const [file, edit] of Object.entries(edits)) {
    const path = join(root, file);
    const before = readFileSync(path, "utf8");
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

/** The library's bundle, made once for all tests of a worker. Not to be changed. */
export function atlasBundle(): Promise<OpenApiDocument> {
  return (atlas ??= bundle(original, "atlas"));
}
