import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { forgetClosed } from "./clean-end.ts";
import type { Database } from "./database.ts";
import { migrate, migrations, versionOf } from "./migrations.ts";
import { NodeDatabase, ownFile } from "./node-database.ts";
import type { ThreadData } from "./protocol.ts";
import { text } from "./row.ts";
import { openingFault } from "./storage-fault.ts";

/**
 * Opens the data, and migrates it to the newest version.
 *
 * @throws Error that names the file and the fix if it cannot be served
 */
export function openData({ file, readOnly, check }: ThreadData): NodeDatabase {
  let database: NodeDatabase | undefined;
  try {
    database = new NodeDatabase(file, readOnly);
    if (readOnly) return database;
    if (check) checkPages(database);
    const isOlder = keepOlder(database, file);
    if (isOlder) forgetIndex(file);
    migrate(database);
    // Files from before space was released can do so only after they are rewritten once.
    if (isOlder) database.exec("vacuum");
    if (file !== ":memory:") forgetClosed(file);
    return database;
  } catch (error) {
    database?.close();
    throw openingFault(error, file);
  }
}

/** Checks every page of the file. It takes as long as reading the file. */
function checkPages(database: Database): void {
  const faults = database.once("pragma quick_check(3)").map((row) => text(row, "quick_check"));
  if (faults.join() === "ok") return;
  const message = faults.join(" ").replaceAll(/\s+/g, " ").slice(0, 200);
  throw Object.assign(new Error(message), { errcode: corrupt });
}

/** Copies data that a migration is about to change, as `trainyard.sqlite.v2`. False if no migration is needed. */
function keepOlder(database: Database, file: string): boolean {
  const version = versionOf(database);
  if (version === 0 || version >= migrations.length || file === ":memory:") return false;
  const copy = `${file}.v${version}`;
  rmSync(copy, { force: true });
  ownFile(copy);
  database.once("vacuum into :copy", { copy });
  return true;
}

/** Deletes the file from which the console read before version 5. Its rows are in the data since then. */
function forgetIndex(file: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(join(dirname(file), `console.sqlite${end}`), { force: true });
}

/** SQLite's result code for a damaged file. */
const corrupt = 11;
