/** The files of a page: in memory, by their paths. Folders exist only through their files. */
const files = new Map<string, { bytes: Uint8Array<ArrayBuffer>; time: number }>();
const folders = new Set<string>();

export class FileError extends Error {
  readonly code = "ENOENT";
}

function missing(path: string): FileError {
  return new FileError(`ENOENT: no such file or directory, '${path}'`);
}

const below = (folder: string) => `${folder}/`;

export const read = (path: string): Uint8Array<ArrayBuffer> => {
  const file = files.get(path);
  if (file === undefined) throw missing(path);
  return file.bytes;
};

export function write(path: string, bytes: Uint8Array<ArrayBuffer>): void {
  files.set(path, { bytes, time: Date.now() });
}

export function append(path: string, text: string): void {
  const [before, added] = [files.get(path)?.bytes ?? new Uint8Array(), new TextEncoder().encode(text)];
  const bytes = new Uint8Array(before.length + added.length);
  bytes.set(before);
  bytes.set(added, before.length);
  write(path, bytes);
}

export function timeOf(path: string): number {
  const file = files.get(path);
  if (file === undefined) throw missing(path);
  return file.time;
}

export function makeFolder(path: string): void {
  folders.add(path);
}

/** The names of a folder's entries. */
export function list(folder: string): string[] {
  const start = below(folder);
  const entries = [...files.keys(), ...folders].filter((path) => path.startsWith(start));
  if (entries.length === 0 && !folders.has(folder)) throw missing(folder);
  return [...new Set(entries.map((path) => path.slice(start.length).split("/", 1)[0] ?? ""))].toSorted();
}

/** Deletes a file, or a folder with its content. Does nothing if it does not exist. */
export function remove(path: string): void {
  for (const file of files.keys()) if (file === path || file.startsWith(below(path))) files.delete(file);
  for (const folder of folders) if (folder === path || folder.startsWith(below(path))) folders.delete(folder);
}

export function move(from: string, to: string): void {
  let isThere = folders.delete(from);
  if (isThere) folders.add(to);
  for (const [path, file] of Array.from(files)) {
    if (path !== from && !path.startsWith(below(from))) continue;
    isThere = true;
    files.delete(path);
    files.set(to + path.slice(from.length), file);
  }
  if (!isThere) throw missing(from);
}
