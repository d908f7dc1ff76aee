import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "@trainyard/core/validation";
import { makeKey, type KeyOptions } from "./keys.ts";

/** Whose the key is that a server makes for itself. */
const defaultEntity = "local";

/** The keys of a server that was given none. */
export interface MadeKeys {
  /** Where they are kept; absent for those that are kept in memory. */
  readonly file?: string;
  readonly keys: readonly KeyOptions[];
  /** Whether they were made just now: then somebody must be told. */
  readonly isNew: boolean;
}

/**
 * Reads the keys of a data folder, and makes one where there are none. The file is readable to its owner alone.
 *
 * @param data the folder, or `memory`: then the key lives as long as the server
 * @throws Error where the file was edited and is no list of keys
 */
export function readOrMakeKeys(data: string): MadeKeys {
  const keys = [{ key: makeKey(), entity: defaultEntity }];
  if (data === "memory") return { keys, isNew: true };
  const file = join(data, "keys.json");
  if (existsSync(file)) return { file, keys: readKeys(file), isNew: false };
  writeFileSync(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  return { file, keys, isNew: true };
}

/** Writes a file of keys, all or nothing, for its owner alone. */
export function writeKeys(file: string, keys: readonly KeyOptions[]): void {
  const part = `${file}.part`;
  writeFileSync(part, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  renameSync(part, file);
}

/**
 * Has changes of a file of keys taken while a server runs.
 *
 * @param refused is told why a change is not taken: then the keys from before stay
 * @returns a function that ends it
 */
export function watchKeys(
  file: string,
  { changed, refused }: { changed: (keys: KeyOptions[]) => void; refused: (reason: string) => void },
): () => void {
  const stateOf = (): string => {
    const state = statSync(file, { throwIfNoEntry: false });
    return `${state?.ino} ${state?.mtimeMs} ${state?.size}`;
  };
  // Looked at here: fs.watchFile takes what it first sees for unchanged, which may be after a change.
  let seen = stateOf();
  const look = (): void => {
    const state = stateOf();
    if (state === seen) return;
    seen = state;
    try {
      changed(readKeys(file));
    } catch (error) {
      refused(`The keys stay as they were. ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const timer = setInterval(look, 1000).unref();
  return () => clearInterval(timer);
}

/** Reads a file of keys. */
export function readKeys(file: string): KeyOptions[] {
  const cure = 'It must be a list of {"key": …, "entity": …}; without it a new key is made.';
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
    throw new Error(`The file ${file} has an entry that is no key. ${cure}`);
  return keys;
}
