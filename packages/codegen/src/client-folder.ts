import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isEngineFile } from "./engine-files.ts";
import {
  clientBanner,
  difference,
  isEmpty,
  list,
  removeEmpty,
  writeFiles,
  type Difference,
  type Files,
} from "./files.ts";
import { DocumentError, type Problem } from "@trainyard/document/files";

/** Begins the name of a folder for files that are not yet in their place. */
const beside = ".trainyard-";

/**
 * Refuses a folder with files that this command did not write.
 *
 * @param out the path as it was given
 * @throws {@link DocumentError} with each of them by name
 */
export function requireOwn(folder: string, out: string): void {
  if (!existsSync(folder)) return;
  const refuse = (file: string): Problem => ({
    file,
    message: "`trainyard generate` did not write this file, and overwrites no folder that has others.",
    cure: "Write the client to a folder of its own with `--out`, or move this file.",
  });
  if (!statSync(folder).isDirectory()) throw new DocumentError([refuse(out)]);
  const engine = join(folder, "core");
  const strange = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory() && entry.name.startsWith(beside)) return [];
    // What was edited in our engine stays ours: it is replaced, and named.
    const isOurs = (file: string): boolean =>
      isOwn(join(engine, file)) || (isEngineFile(file) && isOwn(join(engine, "package.json")));
    if (entry.isDirectory() && entry.name === "core")
      return list(engine).flatMap((file) => (isOurs(file) ? [] : [`core/${file}`]));
    return entry.isFile() && isOwn(join(folder, entry.name)) ? [] : [entry.name];
  });
  if (strange.length > 0) throw new DocumentError(strange.map((name) => refuse(join(out, name))));
}

/** Whether this command wrote a file. JSON has no comments, so that its first member says it. */
function isOwn(file: string): boolean {
  const text = existsSync(file) ? readFileSync(file, "utf8").replace(/^\{\s*"\/\/": "(.*)/, "// $1") : "";
  return text.replaceAll('\\"', '"').startsWith(clientBanner.trimEnd());
}

/**
 * Gives a folder exactly these files. An interrupted run leaves those that were there: all are written beside them first, and
 * then renamed. Files that are up to date are not touched.
 */
export function replaceFiles(folder: string, files: Files): Difference {
  const unfinished = (): string[] =>
    existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(beside)) : [];
  for (const name of unfinished()) rmSync(join(folder, name), { recursive: true });
  const found = difference(folder, files);
  if (isEmpty(found)) return found;
  let parts = folder;
  try {
    mkdirSync(folder, { recursive: true });
    // Inside the folder, because a rename cannot leave a file system.
    parts = mkdtempSync(join(folder, beside));
    const changed = [...found.missing, ...found.stale];
    writeFiles(parts, new Map([...files].filter(([file]) => changed.includes(file))));
    for (const file of changed) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      renameSync(join(parts, file), join(folder, file));
    }
    for (const file of found.surplus) rmSync(join(folder, file));
    removeEmpty(folder);
  } catch (error) {
    const message = `The client cannot be written: ${error instanceof Error ? error.message : String(error)}.`;
    throw new DocumentError([
      { file: folder, message, cure: "Look at the folder's rights, and at the space on its disk." },
    ]);
  } finally {
    if (parts !== folder) rmSync(parts, { recursive: true, force: true });
  }
  return found;
}

/** The name of a client, from a text: `Git-Hub` has `createGitHubClient`. Undefined for a text without Latin letters. */
export function clientName(text: string): string | undefined {
  const name = text
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .replaceAll(/[^A-Za-z0-9]+/g, " ")
    .trim();
  if (!/[A-Za-z]/.test(name)) return undefined;
  return /^[A-Za-z]/.test(name) ? name : `api ${name}`;
}
