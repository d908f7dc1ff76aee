import type { Database } from "../store/database.ts";
import { NodeDatabase } from "../store/node-database.ts";
import { number } from "../store/row.ts";
import { indexVersion, makeIndex } from "./schema.ts";

/**
 * Opens the derived file. Creates it if it is missing, has another version, or is not an index.
 *
 * @param file the path of the file
 * @param discard deletes the file
 */
export function openIndex(file: string, discard: () => void): Database {
  const existing = tryOpen(file);
  if (existing !== undefined) return existing;
  discard();
  const made = new NodeDatabase(file);
  try {
    return makeIndex(made);
  } catch (error) {
    made.close();
    throw error;
  }
}

function tryOpen(file: string): Database | undefined {
  let database: Database | undefined;
  try {
    database = new NodeDatabase(file);
    database.exec("pragma synchronous = normal");
    const [row] = database.once("select version from meta");
    if (row !== undefined && number(row, "version") === indexVersion) return database;
  } catch {
    // Not an index of any version: it is created again.
  }
  database?.close();
  return undefined;
}
