import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { readKeys, writeKeys } from "../http/key-file.ts";
import { Keys, makeKey, type KeyOptions } from "../http/keys.ts";

export const keysHelp = `trainyard keys: the keys of a server, each of an entity (a team). A running server takes changes within two seconds

  add <entity>          makes a key, and prints it: the only time that it is shown
  list                  shows how each key begins, and its entity
  remove <key>          removes the key that begins so, or all keys of the entity of that name
  --data <folder>       the data folder, whose keys.json is meant; .trainyard by default
  --keys <file>         the file of keys, where the server was given one

  trainyard keys add harbor
  trainyard keys remove ty_3fA9x`;

/** How many characters of a key are shown: enough to tell keys apart, and too few to use one. */
const shown = 8;

/** Changes or lists keys. */
export async function keysCommand(args: string[]): Promise<void> {
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
  throw new Error(`Say what to do with keys: add <entity>, list, or remove <key>.\n\n${keysHelp}`);
}

function list(file: string): void {
  for (const { key, entity } of readKeys(file)) console.log(`${key.slice(0, shown)}…  ${entity}`);
}

function add(file: string, entity: string): void {
  const made = { key: makeKey(), entity };
  // What the server would refuse is not written.
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
  if (first === undefined) throw new Error(`No key of ${file} begins with ${name}, and none is of an entity ${name}.`);
  if (ofEntity.length === 0 && found.length > 1)
    throw new Error(`${found.length} keys begin with ${name}. Give more characters of the key that you mean.`);
  const left: KeyOptions[] = keys.filter((key) => !found.includes(key));
  if (left.length === 0) throw new Error("A server needs a key. Add another one before you remove this one.");
  writeKeys(file, left);
  console.log(`Removed ${found.length} ${found.length === 1 ? "key" : "keys"} of ${first.entity}.`);
}
