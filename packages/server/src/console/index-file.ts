import type { Database } from "../store/database.ts";
import { NodeDatabase } from "../store/node-database.ts";
import { number } from "../store/row.ts";
import { indexVersion, makeIndex } from "./schema.ts";

/**
 * Opens the derived file, and makes it where it is missing, of another version, or no such file.
 *
 * @param file a path
 * @param discard deletes the file
 */
export function openIndex(file: string, discard: () => void): Database {
  const known = tryOpen(file);
  if (known !== undefined) return known;
  discard();
  return makeIndex(new NodeDatabase(file));
}

function tryOpen(file: string): Database | undefined {
  let database: Database | undefined;
  try {
    database = new NodeDatabase(file);
    database.exec("pragma synchronous = normal");
    const [row] = database.once("select version from meta");
    if (row !== undefined && number(row, "version") === indexVersion) return database;
  } catch {
    // No index of any version: made anew.
  }
  database?.close();
  return undefined;
}
