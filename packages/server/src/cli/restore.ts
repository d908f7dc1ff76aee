import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { copyFile, lstat, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { readArguments } from "@trainyard/terminal/arguments";
import { UsageError } from "@trainyard/terminal/command";
import { isObject } from "@trainyard/core/validation";
import { startFault } from "../start-fault.ts";
import { migrations } from "../store/migrations.ts";
import { isInUse } from "../store/owner.ts";
import { bytesOf, digestOf, sealed, type Manifest, type ManifestFile } from "./manifest.ts";

export const help = `trainyard restore <folder>: puts a backup back, after it has checked each of its files

  --data <folder>         the data folder, which must be empty or absent; .trainyard by default
  --checkpoints <folder>  where checkpoints go, if the server runs with --checkpoints
  --replace               moves what is in these folders aside, and prints where to

  trainyard restore /backups/trainyard-2026-11-04 --data .trainyard`;

/** Restores what "trainyard backup" saved. */
export async function run(args: string[]): Promise<void> {
  const text = { type: "string" } as const;
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: {
      data: { ...text, default: ".trainyard" },
      checkpoints: text,
      replace: { type: "boolean", default: false },
    },
  });
  const [from, ...rest] = positionals;
  if (from === undefined || rest.length > 0) throw new UsageError("Name the folder of one backup.");
  const targets = [values.data, values.checkpoints].flatMap((folder) =>
    folder === undefined ? [] : [resolve(folder)],
  );
  for (const folder of targets) refuseTarget(folder, values.replace);
  const manifest = readManifest(from);
  for (const file of manifest.files) await check(from, file);
  const places = targets.map(placeOf);
  try {
    await copy(
      from,
      manifest,
      places.map(({ part }) => part),
    );
  } catch (error) {
    for (const { part } of places) await rm(part, { recursive: true, force: true });
    throw startFault(error);
  }
  for (const place of places) await exchange(place);
  console.log(
    `Restored ${manifest.files.length} files with ${bytesOf(manifest)} bytes of ${manifest.time} in ${values.data}.`,
  );
}

/** @throws Error if a server uses a folder, or it holds something that may not be replaced */
function refuseTarget(folder: string, replace: boolean): void {
  if (isInUse(folder))
    throw new Error(`${folder} is in use by a server. Stop it, or choose another folder. Nothing was restored.`);
  if (existsSync(folder) && !replace && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty. Choose another folder, or move its content aside with --replace.`);
}

function readManifest(folder: string): Manifest {
  const file = join(folder, "manifest.json");
  const cure = "Name a folder that trainyard backup made. Nothing was restored.";
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(`The file ${file} is missing, or it is not JSON. ${cure}`, { cause });
  }
  if (!isManifest(manifest)) throw new Error(`The file ${file} is no manifest of a backup. ${cure}`);
  const { sha256, ...content } = manifest;
  if (sealed(content).sha256 !== sha256)
    throw new Error(`The file ${file} of the backup is not as it was saved. Nothing was restored. Use another backup.`);
  if (manifest.schema_version > migrations.length) {
    throw new Error(
      `The backup ${folder} is of release ${manifest.release}, whose data this release cannot read. Use that release or a newer one. Nothing was restored.`,
    );
  }
  return manifest;
}

/** A file or a folder that a backup has: nothing else is written. */
const isPath = (path: unknown): boolean =>
  typeof path === "string" &&
  /^(trainyard\.sqlite|keys\.json|checkpoints\/.+)$/.test(path) &&
  !/(^|\/)\.\.?(\/|$)/.test(path);

function isManifest(value: unknown): value is Manifest {
  if (!isObject(value) || !Array.isArray(value["files"]) || !Array.isArray(value["folders"])) return false;
  const isFile = (file: unknown) =>
    isObject(file) && isPath(file["path"]) && typeof file["bytes"] === "number" && typeof file["sha256"] === "string";
  const hasData = value["files"].some((file) => isObject(file) && file["path"] === "trainyard.sqlite");
  return (
    hasData &&
    typeof value["schema_version"] === "number" &&
    value["files"].every(isFile) &&
    value["folders"].every(isPath)
  );
}

/** @throws Error that names the file if it is not as the manifest says */
async function check(folder: string, { path, bytes, sha256 }: ManifestFile): Promise<void> {
  const file = join(folder, path);
  const cure = "Nothing was restored. Use another backup.";
  const state = await lstat(file).catch(() => undefined);
  if (state?.isFile() !== true) throw new Error(`The file ${file} of the backup is missing. ${cure}`);
  const is = state.size === bytes ? await digestOf(file) : undefined;
  if (is?.sha256 !== sha256) throw new Error(`The file ${file} of the backup is not as it was saved. ${cure}`);
}

/** Where a folder is written, before it takes the place of the old one. */
interface Place {
  readonly folder: string;
  readonly part: string;
  /** Whether the folder cannot be renamed, because a file system is mounted at it. */
  readonly isMount: boolean;
}

function placeOf(folder: string): Place {
  const isMount = existsSync(folder) && statSync(folder).dev !== statSync(dirname(folder)).dev;
  return { folder, isMount, part: isMount ? join(folder, ".restoring") : `${folder}.restoring` };
}

/** @param parts where data go, and checkpoints if they go elsewhere */
async function copy(from: string, { time, files, folders }: Manifest, parts: readonly string[]): Promise<void> {
  const [data = "", elsewhere] = parts;
  const targetOf = (path: string) =>
    elsewhere !== undefined && path.startsWith("checkpoints/") ? join(elsewhere, path.slice(12)) : join(data, path);
  for (const part of parts) {
    await rm(part, { recursive: true, force: true });
    await mkdir(part, { recursive: true, mode: 0o700 });
  }
  // A chat server that runs as another user reads a checkpoints folder of its own.
  const mode = elsewhere === undefined ? 0o700 : 0o755;
  for (const path of folders) await mkdir(targetOf(path), { recursive: true, mode });
  for (const { path, sha256 } of files) {
    const [target, isOpen] = [targetOf(path), elsewhere !== undefined && path.startsWith("checkpoints/")];
    await mkdir(dirname(target), { recursive: true, mode: isOpen ? mode : 0o700 });
    await copyFile(join(from, path), target);
    if ((await digestOf(target, isOpen ? 0o644 : 0o600)).sha256 !== sha256)
      throw new Error(`The file ${path} of the backup changed while it was copied. Nothing was restored.`);
  }
  // The next start reports it in the log.
  const about = { from: resolve(from), time, files: files.length };
  await writeFile(join(data, "restored.json"), JSON.stringify(about), { mode: 0o600, flush: true });
}

/** Moves the old content of a folder aside, and the new one in its place. */
async function exchange({ folder, part, isMount }: Place): Promise<void> {
  const old = existsSync(folder) ? readdirSync(folder).filter((name) => join(folder, name) !== part) : [];
  const before = `before-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  const aside = isMount ? join(folder, before) : `${folder}.${before}`;
  if (old.length > 0) {
    if (isMount) {
      await mkdir(aside, { mode: 0o700 });
      for (const name of old) await rename(join(folder, name), join(aside, name));
    } else await rename(folder, aside);
    console.log(`What was in ${folder} is in ${aside}.`);
  }
  if (!isMount) return rename(part, folder);
  for (const name of readdirSync(part)) await rename(join(part, name), join(folder, name));
  await rm(part, { recursive: true });
}
