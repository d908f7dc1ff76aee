import { existsSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readArguments } from "@trainyard/terminal/arguments";
import { UsageError } from "@trainyard/terminal/command";
import { textTable } from "@trainyard/terminal/table";
import { readKeys, writeKeys } from "../http/key-file.ts";
import { digestOf, factsOf, Keys, makeKey, scopes, type KeyOptions } from "../http/keys.ts";
import { startFault } from "../start-fault.ts";
import { isInUse, readOwnerNote } from "../store/owner.ts";
import { secondsOf } from "./duration.ts";

export const help = `trainyard keys: manages the keys of a server, each for an entity (a team). A running server applies changes within two seconds

  add <entity>          creates a key and prints it. It is not shown again: the file has its digest only. The entity * is for
                        the control interface of all entities
  list                  shows id, name, entity, scopes and expiry of each key
  remove <key>          removes the key with this id or text, or all keys of the entity of this name
  --name <name>         with add: what the key is for
  --scope <scope>       with add: read, write (also chat, logs and jobs; the default) or admin (also the runs and imports of the
                        control interface). Each includes the scopes before it
  --expires <when>      with add: after a time (90d, or in s, m, h, w), or at one (2027-03-01); never by default
  --data <folder>       the data folder that contains keys.json; .trainyard by default
  --keys <file>         the key file, if the server runs with --keys

  trainyard keys add harbor --name ci --scope read --expires 90d
  trainyard keys add '*' --name scraper --scope read
  trainyard keys remove k7Q2fA`;

/** Runs `trainyard keys`. */
export async function run(args: string[]): Promise<void> {
  try {
    change(args);
  } catch (error) {
    throw startFault(error);
  }
}

/** Changes or lists keys. */
function change(args: string[]): void {
  const text = { type: "string" } as const;
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { data: text, keys: text, name: text, scope: text, expires: text },
  });
  const [action, name, ...rest] = positionals;
  const { data, keys, ...about } = values;
  const extra = Object.keys(about)[0];
  if (action !== "add" && extra !== undefined)
    throw new UsageError(`--${extra} belongs to: trainyard keys add <entity>.`);
  if (action === "list" && name === undefined) return list(fileOf(data, keys));
  if (action === "add" && name !== undefined && rest.length === 0) return add(fileOf(data, keys), name, about);
  if (action === "remove" && name !== undefined && rest.length === 0) return remove(fileOf(data, keys), name);
  throw new UsageError("Name an action: add <entity>, list, or remove <key>.");
}

/** The key file of a data folder: that of its running server, which may have been started with another one. */
function fileOf(data = ".trainyard", keys?: string): string {
  const file = keys ?? join(data, "keys.json");
  const read = isInUse(data) ? readOwnerNote(data)?.keys : undefined;
  if (read === undefined || read === resolve(file)) return file;
  const which = `The server of ${data} reads its keys from ${read}`;
  if (keys !== undefined) throw new UsageError(`${which}, not from ${keys}. Leave --keys out, or name that file.`);
  console.error(`${which}. This file is used.`);
  return read;
}

function list(file: string): void {
  const rows = readKeys(file).map((key) => {
    const { id, name = "", entity, scopes: own, expires } = factsOf(key);
    const end = expires === undefined ? "never" : `${expires}${Date.parse(expires) <= Date.now() ? " (expired)" : ""}`;
    return [id, name, entity, own.join(","), end];
  });
  for (const line of textTable([["id", "name", "entity", "scopes", "expires"], ...rows])) console.log(line);
}

function add(file: string, entity: string, about: { name?: string; scope?: string; expires?: string }): void {
  const { name, scope = "write", expires } = about;
  const last = scopes.findIndex((one) => one === scope);
  if (last < 0) throw new UsageError(`--scope must be read, write or admin, not ${scope}. No key was added.`);
  const key = makeKey();
  const sha256 = digestOf({ key });
  const made: KeyOptions = {
    id: factsOf({ sha256, entity }).id,
    ...(name !== undefined && { name }),
    entity,
    scopes: scopes.slice(0, last + 1),
    ...(expires !== undefined && { expires: expiryOf(expires) }),
    sha256,
  };
  const all = [...(existsSync(file) ? readKeys(file) : []), made];
  // Do not write a file that the server would reject.
  const { list: valid } = new Keys(all, makeKey());
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeKeys(file, valid);
  console.log(key);
}

function expiryOf(text: string): string {
  const seconds = secondsOf(text);
  const at = seconds === undefined ? Date.parse(text) : Date.now() + seconds * 1000;
  if (/^\d{4}-\d\d-\d\d/.test(text) || seconds !== undefined) {
    if (at > Date.now() && at < 253_402_300_800_000)
      return new Date(Math.ceil(at / 1000) * 1000).toISOString().replace(".000Z", "Z");
    if (at <= Date.now()) throw new UsageError(`--expires must be in the future, not ${text}. No key was added.`);
  }
  throw new UsageError(
    `--expires must be a time span such as 90d, or a date such as 2027-03-01, not ${text}. No key was added.`,
  );
}

function remove(file: string, name: string): void {
  const keys = readKeys(file);
  const ofEntity = keys.filter(({ entity }) => entity === name);
  const isMeant = (one: KeyOptions) =>
    factsOf(one).id === name ||
    digestOf(one) === digestOf({ key: name }) ||
    (name.length > 4 && one.key?.startsWith(name));
  const found = ofEntity.length > 0 ? ofEntity : keys.filter(isMeant);
  const [first] = found;
  if (first === undefined)
    throw new Error(`No key in ${file} has the id ${name} or begins with it, and none belongs to an entity ${name}.`);
  if (ofEntity.length === 0 && found.length > 1)
    throw new Error(`${found.length} keys begin with ${name}. Give the id of one: trainyard keys list.`);
  const left = keys.filter((key) => !found.includes(key));
  if (left.length === 0)
    throw new Error("A server needs at least one key. Add another key before you remove this one.");
  writeKeys(file, left);
  console.log(`Removed ${found.length} ${found.length === 1 ? "key" : "keys"} of ${first.entity}.`);
}
