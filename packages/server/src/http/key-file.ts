import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "@trainyard/core/validation";
import { makeKey, type KeyOptions } from "./keys.ts";

/** Whose the key is that a server makes for itself. */
const defaultEntity = "local";

/** The keys of a server that was given none. */
export interface MadeKeys {
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
  if (existsSync(file)) return { keys: readKeys(file), isNew: false };
  writeFileSync(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  return { keys, isNew: true };
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
