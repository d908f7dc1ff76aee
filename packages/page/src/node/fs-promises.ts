/** The part of `node:fs/promises` that the server and the tiny model use, in memory. */
import { append, list, makeFolder, move, read, remove, timeOf, write } from "./files.ts";

type Content = string | Uint8Array<ArrayBuffer>;

const bytesOf = (content: Content) => (typeof content === "string" ? new TextEncoder().encode(content) : content);

export async function readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
export async function readFile(path: string, encoding: "utf8"): Promise<string>;
export async function readFile(path: string, encoding?: "utf8"): Promise<Content> {
  const bytes = read(path);
  return encoding === undefined ? bytes.slice() : new TextDecoder().decode(bytes);
}

export async function writeFile(path: string, content: Content): Promise<void> {
  write(path, bytesOf(content));
}

export const appendFile = async (path: string, text: string): Promise<void> => append(path, text);

/** Folders are always created with their parents, and deleted with their content, as all callers here require. */
interface Whole {
  readonly recursive?: boolean;
  readonly force?: boolean;
}

export const mkdir = async (path: string, _whole?: Whole): Promise<void> => makeFolder(path);
export const readdir = async (path: string): Promise<string[]> => list(path);
export const rm = async (path: string, _whole?: Whole): Promise<void> => remove(path);
export const rename = async (from: string, to: string): Promise<void> => move(from, to);
export const stat = async (path: string): Promise<{ mtimeMs: number; size: number }> => ({
  mtimeMs: timeOf(path),
  size: read(path).length,
});

/** An open file: to be written as a whole, or read. */
export async function open(path: string, flags: "r" | "w" = "r") {
  // A folder can be opened too, because its owner flushes it to disk.
  if (flags === "r") list(path.slice(0, path.lastIndexOf("/")));
  return {
    writeFile: async (content: Content) => write(path, bytesOf(content)),
    stat: () => stat(path),
    read: async (buffer: Uint8Array, offset: number, length: number, position: number) => {
      buffer.set(read(path).subarray(position, position + length), offset);
    },
    sync: async () => undefined,
    close: async () => undefined,
  };
}
