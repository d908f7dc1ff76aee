/**
 * What the server, the host and the tiny model import from Node, in a page: files are in memory, and digests are
 * synchronous, which those of browsers are not.
 */
import { sha256 } from "@noble/hashes/sha2.js";

type Content = string | Uint8Array<ArrayBuffer>;

/** By path. A folder exists through its files. */
const files = new Map<string, { readonly bytes: Uint8Array<ArrayBuffer>; readonly mtimeMs: number }>();

const bytesOf = (content: Content) => (typeof content === "string" ? new TextEncoder().encode(content) : content);
const inside = (folder: string) => [...files.keys()].filter((path) => path.startsWith(`${folder}/`));

function fileAt(path: string) {
  const file = files.get(path);
  if (file !== undefined) return file;
  throw Object.assign(new Error(`ENOENT: no such file or directory, '${path}'`), { code: "ENOENT" });
}

export async function readFile(path: string, encoding?: "utf8"): Promise<Content> {
  const { bytes } = fileAt(path);
  return encoding === undefined ? bytes.slice() : new TextDecoder().decode(bytes);
}
export async function* createReadStream(path: string): AsyncGenerator<Content> {
  yield readFile(path, "utf8");
}
export async function writeFile(path: string, content: Content): Promise<void> {
  files.set(path, { bytes: bytesOf(content), mtimeMs: Date.now() });
}
export const appendFile = async (path: string, text: string): Promise<void> =>
  writeFile(path, (files.has(path) ? String(await readFile(path, "utf8")) : "") + text);
export const mkdir = async (_path: string, _options?: object): Promise<void> => undefined;
export async function readdir(path: string): Promise<string[]> {
  const names = inside(path).map((file) => file.slice(path.length + 1).replace(/\/.*/, ""));
  if (names.length === 0) fileAt(path);
  return [...new Set(names)];
}
export function rmSync(path: string): void {
  for (const file of [path, ...inside(path)]) files.delete(file);
}
export const rm = async (path: string, _options?: object): Promise<void> => rmSync(path);
export async function rename(from: string, to: string): Promise<void> {
  const moved = inside(from);
  for (const path of moved.length > 0 ? moved : [from]) {
    files.set(to + path.slice(from.length), fileAt(path));
    files.delete(path);
  }
}
export async function stat(path: string): Promise<{ mtimeMs: number; size: number }> {
  const { bytes, mtimeMs } = fileAt(path);
  return { mtimeMs, size: bytes.length };
}
/** Opens a file to read. */
export async function open(path: string) {
  const { bytes } = fileAt(path);
  const read = async (buffer: Uint8Array, offset: number, length: number, position: number) =>
    buffer.set(bytes.subarray(position, position + length), offset);
  return { read, stat: () => stat(path), close: async () => undefined };
}
export const mkdtempSync = (start: string): string => `${start}${crypto.randomUUID()}`;

export const tmpdir = (): string => "/page";
export const join = (...parts: readonly string[]): string => parts.join("/").replaceAll(/\/{2,}/g, "/");
export const resolve = (...parts: readonly string[]): string => join("/", ...parts);
export const dirname = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf("/")));

export function hash(_algorithm: "sha256", data: Content, encoding: "hex" | "base64" | "base64url"): string {
  const digest = sha256(bytesOf(data));
  if (encoding === "hex") return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const base64 = btoa(String.fromCharCode(...digest));
  return encoding === "base64" ? base64 : base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// Does not compress, because data in memory end with the page.
export const constants = { ZSTD_c_compressionLevel: 0 };
export const zstdCompressSync = (bytes: Uint8Array): Uint8Array => bytes;
export const zstdDecompressSync = (bytes: Uint8Array): Uint8Array => bytes;
