import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Release } from "@trainyard/document";
import { DocumentError, parseFile } from "@trainyard/document/files";

/** The table of client and contract versions, which the site shows. */
export const tableFile = "openapi/releases.json";

/** All releases, newest first; empty before the first one. @throws {@link DocumentError} if the file is invalid. */
export function readReleases(root: string): Release[] {
  if (!existsSync(join(root, tableFile))) return [];
  const value: unknown = parseFile(root, tableFile);
  if (Array.isArray(value) && value.every(isRelease)) return value;
  const cure = "Restore it from git: only `pnpm release version` writes it.";
  throw new DocumentError([{ file: tableFile, message: "It is not a list of releases.", cure }]);
}

function isRelease(value: unknown): value is Release {
  if (typeof value !== "object" || value === null) return false;
  const { version, date, contract }: Partial<Record<keyof Release, unknown>> = value;
  return typeof version === "string" && typeof date === "string" && typeof contract === "object" && contract !== null;
}
