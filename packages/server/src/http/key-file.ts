import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "@trainyard/core/validation";
import { defaultEntity, makeKey, type KeyOptions } from "./keys.ts";

/** The keys of a server, and where they are from. */
export interface MadeKeys {
  /** The file that holds them; absent for keys that exist only in memory. */
  readonly file?: string;
  readonly keys: readonly KeyOptions[];
  /** Whether they were created just now, so that they must be shown to somebody. */
  readonly isNew: boolean;
}

/**
 * The keys of a server: those that it was given, or those of its data folder. If that has none, one is created in a file that
 * only the owner can read.
 *
 * @param data the folder, or `memory`: then the key lasts as long as the server
 */
export function keysOf(given: readonly KeyOptions[] | string | undefined, data: string): MadeKeys {
  if (typeof given === "string") return { file: given, keys: readKeys(given), isNew: false };
  if (given !== undefined) return { keys: given, isNew: false };
  const keys = [{ key: makeKey(), entity: defaultEntity }];
  if (data === "memory") return { keys, isNew: true };
  const file = join(data, "keys.json");
  if (existsSync(file)) return { file, keys: readKeys(file), isNew: false };
  writeFileSync(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  return { file, keys, isNew: true };
}

/**
 * The control key of a data folder, in a file that only the owner can read. It outlives a restart, and with it the access of
 * browsers to the console: a new one ends that.
 */
export function controlKeyOf(data: string): string {
  if (data === "memory") return makeKey();
  const file = join(data, "control.key");
  if (!existsSync(file)) writeFileSync(file, makeKey(), { mode: 0o600, flag: "wx" });
  const key = readFileSync(file, "utf8").trim();
  if (key === "") throw new Error(`The file ${file} has no key. If you delete the file, a new key is created.`);
  return key;
}

/** Writes a key file atomically, readable by its owner only. */
export function writeKeys(file: string, keys: readonly KeyOptions[]): void {
  const part = `${file}.part`;
  writeFileSync(part, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  renameSync(part, file);
}

/**
 * Applies changes of a key file while a server runs.
 *
 * @param refused receives the reason if a change is not applied; the previous keys stay valid
 * @returns a function that stops watching
 */
export function watchKeys(
  file: string,
  { changed, refused }: { changed: (keys: KeyOptions[]) => void; refused: (reason: string) => void },
): () => void {
  const stateOf = (): string => {
    const state = statSync(file, { throwIfNoEntry: false });
    return `${state?.ino} ${state?.mtimeMs} ${state?.size}`;
  };
  // Check the file here: fs.watchFile takes the state that it sees first as the unchanged one, which may be after a
  // change.
  let seen = stateOf();
  const look = (): void => {
    const state = stateOf();
    if (state === seen) return;
    seen = state;
    try {
      changed(readKeys(file));
    } catch (error) {
      refused(`The keys were not reloaded. ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const timer = setInterval(look, 1000).unref();
  return () => clearInterval(timer);
}

/** Reads a key file. */
export function readKeys(file: string): KeyOptions[] {
  const cure = 'It must be a list of {"key": …, "entity": …}. If you delete the file, a new key is created.';
  const text = readFileSync(file, "utf8");
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new Error(`The file ${file} is not valid JSON. ${cure}`, { cause });
  }
  const entries = Array.isArray(content) ? content : [];
  const keys = entries.flatMap((entry: unknown) => {
    if (!isObject(entry)) return [];
    const { key, entity } = entry;
    return typeof key === "string" && typeof entity === "string" ? [{ key, entity }] : [];
  });
  if (keys.length === 0 || keys.length < entries.length)
    throw new Error(`The file ${file} has an invalid entry. ${cure}`);
  return keys;
}
