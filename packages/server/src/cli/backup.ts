import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { ownFile } from "../store/node-database.ts";
import { openingFault } from "../store/storage-fault.ts";

export const help = `trainyard backup <file>: copies the data to a file. The server may keep running meanwhile

  --data <folder>       the data folder; .trainyard by default

  trainyard backup /backups/trainyard-$(date +%F).sqlite

The copy is as the data was at one moment. Keys (keys.json) and what trainers made (checkpoints/) are files beside it: copy them as
files, after the data. To restore, stop the server, put the copy in place of trainyard.sqlite, and delete trainyard.sqlite-wal.`;

/** Copies the data of a folder as they are at one moment. */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { data: { type: "string", default: ".trainyard" } },
  });
  const [target, ...rest] = positionals;
  if (target === undefined || rest.length > 0) throw new Error(`Name one file to copy the data to.\n\n${help}`);
  const source = join(values.data, "trainyard.sqlite");
  if (!existsSync(source)) throw new Error(`There is no data file ${source}. Name the data folder with --data.`);
  if (existsSync(target)) throw new Error(`${target} exists. Choose another name, or delete it first.`);
  const part = `${target}.part`;
  try {
    ownFile(part);
    const pages = await copy(source, part);
    renameSync(part, target);
    console.log(`Copied ${pages} pages of ${source} to ${target}.`);
  } catch (error) {
    rmSync(part, { force: true });
    throw openingFault(error, target);
  }
}

async function copy(source: string, target: string): Promise<number> {
  const database = new DatabaseSync(source, { readOnly: true, timeout: 10_000 });
  try {
    // In one step. Page by page, the backup would start again after each write of the server.
    const pages = await backup(database, target, { rate: 2 ** 31 - 1 });
    const made = new DatabaseSync(target);
    try {
      const [check] = made.prepare("pragma quick_check(1)").all();
      if (check?.["quick_check"] !== "ok")
        throw new Error(`The data file ${source} is damaged: ${String(check?.["quick_check"])}.`);
    } finally {
      made.close();
    }
    return pages;
  } finally {
    database.close();
  }
}
