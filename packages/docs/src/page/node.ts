/**
 * The parts of Node's built-in modules that the server, the host and the tiny model use, in a page: files are in memory, and digests
 * are synchronous, which those of browsers are not.
 */
import { sha1 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";

// node:fs/promises and node:fs

type Content = string | Uint8Array<ArrayBuffer>;

/** Files and folders by their paths; a folder has no bytes. Folders also exist through their files. */
const entries = new Map<string, { readonly bytes?: Uint8Array<ArrayBuffer>; readonly time: number }>();

const bytesOf = (content: Content) => (typeof content === "string" ? new TextEncoder().encode(content) : content);

function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: no such file or directory, '${path}'`), { code: "ENOENT" });
}

/** The path itself, and all paths below it. */
function within(path: string): string[] {
  return [...entries.keys()].filter((entry) => entry === path || entry.startsWith(`${path}/`));
}

function fileAt(path: string): { readonly bytes: Uint8Array<ArrayBuffer>; readonly time: number } {
  const { bytes, time } = entries.get(path) ?? {};
  if (bytes === undefined || time === undefined) throw missing(path);
  return { bytes, time };
}

export async function readFile(path: string, options?: unknown): Promise<Content> {
  const { bytes } = fileAt(path);
  return options === undefined ? bytes.slice() : new TextDecoder().decode(bytes);
}

/** Reads a text, in one part. */
export async function* createReadStream(path: string, _options?: unknown): AsyncGenerator<string> {
  yield new TextDecoder().decode(fileAt(path).bytes);
}

export async function writeFile(path: string, content: Content): Promise<void> {
  entries.set(path, { bytes: bytesOf(content), time: Date.now() });
}

export async function appendFile(path: string, text: string): Promise<void> {
  const before = new TextDecoder().decode(entries.get(path)?.bytes);
  await writeFile(path, before + text);
}

/** Folders are always created with their parents, and deleted with their content, as all callers here require. */
interface Whole {
  readonly recursive?: boolean;
  readonly force?: boolean;
}

export async function mkdir(path: string, _whole?: Whole): Promise<void> {
  entries.set(path, { time: Date.now() });
}

export async function readdir(path: string): Promise<string[]> {
  const inside = within(path);
  if (inside.length === 0) throw missing(path);
  const names = inside.map((entry) => entry.slice(path.length + 1).split("/", 1)[0] ?? "");
  return [...new Set(names.filter((name) => name !== ""))];
}

export function rmSync(path: string): void {
  for (const entry of within(path)) entries.delete(entry);
}

export const rm = async (path: string, _whole?: Whole): Promise<void> => rmSync(path);

export async function rename(from: string, to: string): Promise<void> {
  const moved = within(from).map((path) => [path, entries.get(path)] as const);
  if (moved.length === 0) throw missing(from);
  for (const [path, entry] of moved) {
    entries.delete(path);
    if (entry !== undefined) entries.set(to + path.slice(from.length), entry);
  }
}

export async function stat(path: string): Promise<{ mtimeMs: number; size: number }> {
  const { bytes, time } = fileAt(path);
  return { mtimeMs: time, size: bytes.length };
}

/** An open file: to be written as a whole, or read. A folder can be opened too, because its owner flushes it to disk. */
export async function open(path: string, flags: "r" | "w" = "r") {
  if (flags === "r" && within(path).length === 0) throw missing(path);
  return {
    writeFile: (content: Content) => writeFile(path, content),
    stat: () => stat(path),
    read: async (buffer: Uint8Array, offset: number, length: number, position: number) => {
      buffer.set(fileAt(path).bytes.subarray(position, position + length), offset);
    },
    sync: async () => undefined,
    close: async () => undefined,
  };
}

let folders = 0;
export function mkdtempSync(start: string): string {
  const folder = `${start}${++folders}`;
  void mkdir(folder);
  return folder;
}

// node:os and node:path

export const tmpdir = (): string => "/page";
export const join = (...parts: readonly string[]): string => parts.join("/").replaceAll(/\/{2,}/g, "/");
export const resolve = (...parts: readonly string[]): string => join("/", ...parts);
export const dirname = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf("/")));

// node:crypto

type Encoding = "hex" | "base64" | "base64url";

function written(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === "hex") return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const base64 = btoa(String.fromCharCode(...bytes));
  return encoding === "base64" ? base64 : base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export function createHash(algorithm: "sha1" | "sha256") {
  const state = { sha1, sha256 }[algorithm].create();
  const made = {
    update: (data: Content) => {
      state.update(bytesOf(data));
      return made;
    },
    digest: (encoding: Encoding) => written(state.digest(), encoding),
  };
  return made;
}

export const hash = (algorithm: "sha1" | "sha256", data: Content, encoding: Encoding = "hex"): string =>
  createHash(algorithm).update(data).digest(encoding);

export function randomBytes(length: number) {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return { toString: (encoding: Encoding) => written(bytes, encoding) };
}

// node:timers/promises

const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.addEventListener("message", () => waiting.shift()?.());
channel.port1.start();

/** Calls back after the tasks in the queue. Timers would wait for four milliseconds once several follow each other. */
export function immediate(work: () => void): void {
  waiting.push(work);
  channel.port2.postMessage(null);
}

export const setImmediate = (): Promise<void> => new Promise(immediate);

export function setTimeout(
  milliseconds: number,
  _value?: undefined,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = globalThis.setTimeout(resolve, milliseconds);
    const fail = () => {
      clearTimeout(timer);
      // As in Node: the error says that the wait was aborted, and the signal has the reason.
      reject(new DOMException("The operation was aborted", "AbortError"));
    };
    if (signal?.aborted) fail();
    else signal?.addEventListener("abort", fail, { once: true });
  });
}

// node:zlib: does not compress, because data in memory end with the page.

export const constants = { ZSTD_c_compressionLevel: 0 };
export const zstdCompressSync = (bytes: Uint8Array): Uint8Array => bytes;
export const zstdDecompressSync = (bytes: Uint8Array): Uint8Array => bytes;
