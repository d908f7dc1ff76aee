/** The part of `node:fs` that the server and the tiny model use, in memory. */
import { append, makeFolder, read, remove } from "./files.ts";

let folders = 0;

export function mkdtempSync(start: string): string {
  const folder = `${start}${++folders}`;
  makeFolder(folder);
  return folder;
}

export const mkdirSync = makeFolder;
export const rmSync = remove;

/** A stream that appends to a file. It cannot fail. */
export function createWriteStream(path: string) {
  append(path, "");
  const stream = {
    write: (text: string) => append(path, text),
    on: () => stream,
    end: (done: () => void) => {
      queueMicrotask(done);
      return stream;
    },
  };
  return stream;
}

/** The text of a file, for `createInterface`. */
export const createReadStream = (path: string): string => new TextDecoder().decode(read(path));
