import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";

/*
 * A server that ends in order notes beside its data file what the file is like. Where the note is missing or the file is
 * another, something else ended the server or wrote the file: then it is checked before it is served.
 */

const noteOf = (file: string): string => `${file}.closed`;

function stateOf(file: string): string {
  const { size, mtimeMs } = statSync(file);
  return `${size} ${mtimeMs}\n`;
}

/** Whether a data file is as the last server left it at its own end. A file that does not exist is. */
export function wasClosed(file: string): boolean {
  if (!existsSync(file)) return true;
  try {
    return !existsSync(`${file}-wal`) && readFileSync(noteOf(file), "utf8") === stateOf(file);
  } catch {
    return false;
  }
}

/** Notes that a file was closed in order. */
export function noteClosed(file: string): void {
  // Another program still reads: what was written is not all in the file.
  if (!existsSync(`${file}-wal`)) writeFileSync(noteOf(file), stateOf(file), { mode: 0o600 });
}

/** Forgets the note: from now on, an end is not in order. */
export function forgetClosed(file: string): void {
  rmSync(noteOf(file), { force: true });
}
