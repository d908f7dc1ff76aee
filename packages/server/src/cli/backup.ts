import { existsSync, type Stats } from "node:fs";
import { copyFile, cp, lstat, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { backup as copyPages, DatabaseSync } from "node:sqlite";
import { readArguments } from "@trainyard/terminal/arguments";
import { UsageError } from "@trainyard/terminal/command";
import { startFault } from "../start-fault.ts";
import { ownFile } from "../store/node-database.ts";
import { isInUse, readOwnerNote } from "../store/owner.ts";
import { openingFault } from "../store/storage-fault.ts";
import { bytesOf, digestOf, releaseOf, sealed, type Manifest } from "./manifest.ts";

export const help = `trainyard backup <folder>: saves data, keys and checkpoints of one moment in a new folder. The server may keep running

  --data <folder>         the data folder; .trainyard by default
  --keys <file>           the key file, if the server runs with --keys and does not run now
  --checkpoints <folder>  the checkpoints folder, if the server runs with --checkpoints and does not run now

  trainyard backup /backups/trainyard-$(date +%F)

"trainyard restore" puts it back. The logs of trainers and the control key are not saved.`;

/** How often a backup begins again because a checkpoint was deleted while it was copied. */
const attempts = 3;

/** Saves what a server keeps, as it is at one moment. */
export async function run(args: string[]): Promise<void> {
  const text = { type: "string" } as const;
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { data: { ...text, default: ".trainyard" }, keys: text, checkpoints: text },
  });
  const [target, ...rest] = positionals;
  if (target === undefined || rest.length > 0) throw new UsageError("Name one folder to save to.");
  const { data } = values;
  const note = isInUse(data) ? readOwnerNote(data) : undefined;
  const source: Source = {
    file: join(data, "trainyard.sqlite"),
    keys: note?.keys ?? values.keys ?? join(data, "keys.json"),
    checkpoints: note?.checkpoints ?? values.checkpoints ?? join(data, "checkpoints"),
  };
  if (!existsSync(source.file))
    throw new Error(`There is no data file ${source.file}. Name the data folder with --data.`);
  const isEmpty = !existsSync(target) || (await readdir(target)).length === 0;
  if (!isEmpty) throw new Error(`${target} is not empty. Choose a new folder, or delete this one first.`);
  const part = `${resolve(target)}.part`;
  let saved: Manifest | undefined;
  try {
    for (let attempt = 1; (saved = await save(source, part)) === undefined; attempt++) {
      if (attempt === attempts)
        throw new Error(
          `Checkpoints were deleted during each of ${attempts} attempts. Nothing was saved; try again later.`,
        );
    }
    await rename(part, target);
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw startFault(openingFault(error, target));
  }
  console.log(`Saved ${saved.files.length} files with ${bytesOf(saved)} bytes of ${data} in ${target}.`);
}

interface Source {
  readonly file: string;
  readonly keys: string;
  readonly checkpoints: string;
}

/** Saves all files in an empty folder. Undefined if a checkpoint was deleted meanwhile. */
async function save({ file, keys, checkpoints }: Source, folder: string): Promise<Manifest | undefined> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const time = new Date().toISOString();
  const copy = join(folder, "trainyard.sqlite");
  ownFile(copy);
  await copyDatabase(file, copy);
  if (existsSync(keys)) await copyFile(keys, join(folder, "keys.json"));
  const { version, steps } = read(copy);
  const folders: string[] = [];
  const missing: string[] = [];
  for (const { model, step } of steps) {
    const name = join("checkpoints", model, `step${step}`);
    const from = join(checkpoints, model, `step${step}`);
    if (await copyFolder(from, join(folder, name))) folders.push(name);
    else missing.push(`${model} ${step}`);
    const about = join(checkpoints, model, "model.json");
    if (existsSync(about))
      await copyFile(about, join(folder, "checkpoints", model, "model.json")).catch(() => undefined);
  }
  const left = new Set(read(file).steps.map(({ model, step }) => `${model} ${step}`));
  if (missing.some((one) => !left.has(one))) return undefined;
  if (missing.length > 0)
    console.error(
      `${missing.length} checkpoints have no files in ${checkpoints}, as imported ones. Is this the right folder?`,
    );
  const files = [];
  for (const path of await filesOf(folder)) files.push({ path, ...(await digestOf(join(folder, path), 0o600)) });
  const manifest = sealed({ release: releaseOf(), schema_version: version, time, folders, files });
  await writeFile(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  });
  return manifest;
}

async function copyDatabase(source: string, target: string): Promise<void> {
  const database = new DatabaseSync(source, { readOnly: true, timeout: 10_000 });
  try {
    // In one step. Page by page, the copy would start again after each write of the server.
    await copyPages(database, target, { rate: 2 ** 31 - 1 });
  } catch (error) {
    throw openingFault(error, source);
  } finally {
    database.close();
  }
  const made = new DatabaseSync(target);
  try {
    const [check] = made.prepare("pragma quick_check(1)").all();
    const fault = String(check?.["quick_check"]);
    if (fault !== "ok") throw new Error(`The data file ${source} is damaged: ${fault}.`);
    // As one file, whatever reads it.
    made.exec("pragma journal_mode = delete");
  } finally {
    made.close();
  }
}

/** The version of the schema, and the checkpoints that may have files. */
function read(file: string): { version: number; steps: { model: string; step: number }[] } {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    const steps = database.prepare("select model_id, step from checkpoints where deleted = 0 and step > 0").all();
    return {
      version: Number(database.prepare("pragma user_version").get()?.["user_version"]),
      steps: steps.map((row) => ({ model: String(row["model_id"]), step: Number(row["step"]) })),
    };
  } finally {
    database.close();
  }
}

/** Copies the regular files of a folder. False if the folder or a part of it is gone. */
async function copyFolder(from: string, to: string): Promise<boolean> {
  try {
    const isKept = (state: Stats) => state.isFile() || state.isDirectory();
    await cp(from, to, { recursive: true, filter: async (path) => isKept(await lstat(path)) });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

/** The files below a folder, as relative paths. */
async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}
