import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";

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
