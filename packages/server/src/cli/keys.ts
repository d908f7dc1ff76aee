import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { readKeys, writeKeys } from "../http/key-file.ts";
import { Keys, makeKey, type KeyOptions } from "../http/keys.ts";
import { startFault } from "../start-fault.ts";

export const help = `trainyard keys: manages the keys of a server, each for an entity (a team). A running server applies changes within two seconds

  add <entity>          creates a key and prints it. It is not shown again
  list                  shows how each key begins, and its entity
  remove <key>          removes the key that starts with this text, or all keys of the entity of this name
  --data <folder>       the data folder that contains keys.json; .trainyard by default
  --keys <file>         the key file, if the server runs with --keys

  trainyard keys add harbor
  trainyard keys remove ty_3fA9x`;

/** How many characters of a key are shown: enough to distinguish keys, and too few to use one. */
const shown = 8;

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
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { data: { type: "string", default: ".trainyard" }, keys: { type: "string" } },
  });
  const [action, name, ...rest] = positionals;
  const file = values.keys ?? join(values.data, "keys.json");
  if (action === "list" && name === undefined) return list(file);
  if (action === "add" && name !== undefined && rest.length === 0) return add(file, name);
  if (action === "remove" && name !== undefined && rest.length === 0) return remove(file, name);
  throw new Error(`Name an action: add <entity>, list, or remove <key>.\n\n${help}`);
}

function list(file: string): void {
  for (const { key, entity } of readKeys(file)) console.log(`${key.slice(0, shown)}…  ${entity}`);
}

function add(file: string, entity: string): void {
  const made = { key: makeKey(), entity };
  // Do not write a file that the server would reject.
  const keys = new Keys([...(existsSync(file) ? readKeys(file) : []), made]);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeKeys(file, keys.list);
  console.log(made.key);
}

function remove(file: string, name: string): void {
  const keys = readKeys(file);
  const ofEntity = keys.filter(({ entity }) => entity === name);
  const found =
    ofEntity.length > 0 ? ofEntity : keys.filter(({ key }) => name.length >= shown - 3 && key.startsWith(name));
  const [first] = found;
  if (first === undefined)
    throw new Error(`No key in ${file} starts with ${name}, and none belongs to an entity ${name}.`);
  if (ofEntity.length === 0 && found.length > 1)
    throw new Error(`${found.length} keys start with ${name}. Give more characters of the key.`);
  const left: KeyOptions[] = keys.filter((key) => !found.includes(key));
  if (left.length === 0)
    throw new Error("A server needs at least one key. Add another key before you remove this one.");
  writeKeys(file, left);
  console.log(`Removed ${found.length} ${found.length === 1 ? "key" : "keys"} of ${first.entity}.`);
}
