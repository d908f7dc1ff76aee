import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { StorageFault } from "./storage-fault.ts";

/*
 * A server that closes cleanly writes a note beside its data file that describes the file. If the note is missing or
 * does not match, a crash or another program changed the file, and it is checked before it is served.
 */

const noteOf = (file: string): string => `${file}.closed`;

function stateOf(file: string): string {
  const { size, mtimeMs } = statSync(file);
  return `${size} ${mtimeMs}\n`;
}

/** Whether a data file was closed cleanly and is unchanged since. True for a file that does not exist. */
export function wasClosed(file: string): boolean {
  if (!existsSync(file)) return true;
  try {
    return !existsSync(`${file}-wal`) && readFileSync(noteOf(file), "utf8") === stateOf(file);
  } catch {
    return false;
  }
}

/** Notes that a file was closed cleanly. */
export function noteClosed(file: string): void {
  // Another program still reads the file, so the write-ahead log was not merged completely.
  if (!existsSync(`${file}-wal`)) writeFileSync(noteOf(file), stateOf(file), { mode: 0o600 });
}

/** Deletes the note: from now on, an end without a new note is not clean. */
export function forgetClosed(file: string): void {
  rmSync(noteOf(file), { force: true });
}

/**
 * Returns a check that files or folders are still those of now. What was removed or moved can still be written, but is
 * lost, or somebody else's.
 *
 * @param what they are, for callers, who must not learn paths
 * @returns a function that throws StorageFault if one was removed, moved or replaced
 */
export function stillMine(what: string, ...paths: readonly string[]): () => void {
  const idOf = (path: string) => {
    const { dev, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
    return `${dev} ${ino}`;
  };
  const ids = paths.map(idOf);
  return () => {
    if (paths.every((path, index) => idOf(path) === ids[index])) return;
    throw new StorageFault(`The server's ${what} was removed, moved or replaced.`);
  };
}

/**
 * Refuses a folder whose data file is missing or empty although there were data: a server would start without them.
 *
 * @throws Error that names the file, what shows that it had content, and the cure
 */
export function checkPresent(file: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  const [folder, checkpoints] = [dirname(file), join(dirname(file), "checkpoints")];
  const models = existsSync(checkpoints) ? readdirSync(checkpoints).filter((name) => /^[0-9a-f-]{36}$/.test(name)) : [];
  const neighbors = [
    noteOf(file),
    `${file}-wal`,
    join(folder, "console.sqlite"),
    ...models.map((model) => join(checkpoints, model)),
  ];
  const found = neighbors.find((path) => existsSync(path));
  if (found === undefined) return;
  const what = existsSync(file) ? "is empty" : "is missing";
  throw new Error(
    `The data file ${file} ${what}, but ${found} shows that it had content. Restore a backup of it, or name another folder with --data for an empty server.`,
  );
}
