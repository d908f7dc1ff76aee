/** The part of `node:fs` that the server and the tiny model use, in memory. */
import { makeFolder, read, remove } from "./files.ts";

let folders = 0;

export function mkdtempSync(start: string): string {
  const folder = `${start}${++folders}`;
  makeFolder(folder);
  return folder;
}

export const rmSync = remove;

/** The text of a file, for `createInterface`. */
export const createReadStream = (path: string): string => new TextDecoder().decode(read(path));
