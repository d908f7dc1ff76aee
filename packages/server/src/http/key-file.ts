import { chownSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject } from "@trainyard/core/validation";
import { startSentence } from "../start-fault.ts";
import type { Notice } from "../options.ts";
import { defaultEntity, makeKey, type KeyFacts, type KeyOptions, type Keys } from "./keys.ts";

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

/**
 * Writes a key file atomically, readable by its owner only.
 * @throws Error if it cannot be written; then the earlier file is unchanged
 */
export function writeKeys(file: string, keys: readonly KeyOptions[]): void {
  const part = `${file}.part`;
  try {
    writeFileSync(part, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flush: true });
    // The server must be able to read what root writes for it.
    const { uid, gid } = statSync(existsSync(file) ? file : dirname(file));
    if (process.getuid?.() === 0) chownSync(part, uid, gid);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    // A failed write does not say which file it was.
    const message = startSentence(Object.assign(Object(error), { path: file }));
    throw new Error(`${message} ${existsSync(file) ? `${file} is unchanged` : "Nothing was written"}.`, {
      cause: error,
    });
  }
}

/**
 * Applies the changes of a key file while a server runs, and reports them as well as the keys that expire.
 *
 * @returns a function that ends this
 */
export function reloadKeys(keys: Keys, file: string, notice: Notice): () => void {
  const stateOf = (): string => {
    const state = statSync(file, { throwIfNoEntry: false });
    return `${state?.ino} ${state?.mtimeMs} ${state?.size}`;
  };
  const tell = (event: "key.added" | "key.removed" | "key.expired", facts: KeyFacts): void => {
    const { id: key_id, scopes, ...rest } = facts;
    const [does, by] = event === "key.expired" ? ["has ", {}] : ["was ", { command: "keys", file }];
    const sentence = `The key ${key_id} of ${facts.entity} (${scopes.join(", ")}) ${does}${event.slice(4)}.`;
    notice(sentence, { event, key_id, scopes, ...rest, ...by });
  };
  // Check the file here: fs.watchFile takes the state that it sees first as the unchanged one, which may be after a
  // change.
  let seen = stateOf();
  let looked = Date.now();
  const look = (): void => {
    const now = Date.now();
    for (const one of keys.expired(looked, now)) tell("key.expired", one);
    looked = now;
    const state = stateOf();
    if (state === seen) return;
    seen = state;
    try {
      const { added, removed } = keys.replace(readKeys(file));
      for (const one of removed) tell("key.removed", one);
      for (const one of added) tell("key.added", one);
    } catch (error) {
      const sentence = `The keys of ${file} were not reloaded; the previous ones stay valid. ${startSentence(error)}`;
      notice(sentence, { event: "keys.refused", file });
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
  const entries: unknown[] = Array.isArray(content) ? content : [];
  const keys = entries.filter(isKey);
  if (keys.length === 0 || keys.length < entries.length) {
    const which = entries.findIndex((entry) => !isKey(entry)) + 1;
    throw new Error(`The file ${file} has ${which > 0 ? `an invalid entry, number ${which}` : "no entry"}. ${cure}`);
  }
  return keys;
}

function isKey(entry: unknown): entry is KeyOptions {
  if (!isObject(entry)) return false;
  const { key, sha256, entity, id, name, scopes = [], expires } = entry;
  const isDigest = typeof sha256 === "string" && /^[\w+/]{43}=$/.test(sha256);
  return (
    (typeof key === "string" || (key === undefined && isDigest)) &&
    Array.isArray(scopes) &&
    [entity, id ?? "", name ?? "", expires ?? "", ...scopes].every((one) => typeof one === "string")
  );
}
