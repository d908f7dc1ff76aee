import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure, type ServiceComparison } from "@trainyard/contract";

/** A document whose version was set. */
export interface VersionEdit {
  readonly service: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Sets `info.version` of a document to the version that its changes since the last release require, up or down.
 *
 * @throws {@link Failure} if the line is not found, or the version is invalid
 */
export function setVersion(root: string, { service, version }: ServiceComparison): VersionEdit | undefined {
  if (version === undefined || version.right) return undefined;
  const { at, revision, needed, fault } = version;
  const path = join(root, at.file);
  const lines = readFileSync(path, "utf8").split("\n");
  const index = (at.line ?? 0) - 1;
  const line = lines[index];
  // An invalid version needs a decision by a person.
  const edited = /^\d/.test(revision) && needed !== revision ? line?.replace(revision, needed) : line;
  if (line === undefined || edited === undefined || edited === line) throw new Failure(`${at.file}: ${fault ?? ""}`);
  lines[index] = edited;
  writeFileSync(path, lines.join("\n"));
  return { service, file: at.file, from: revision, to: needed };
}
