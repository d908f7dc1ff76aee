import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure, type ServiceComparison } from "@trainyard/contract";

/** A document whose version was raised. */
export interface Raised {
  readonly service: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Raises `info.version` of a document to the lowest that its changes allow, where it is too low. A version that somebody
 * raised further stays.
 *
 * @throws {@link Failure} where the line is not found, or the version is none.
 */
export function raiseVersion(root: string, { service, version }: ServiceComparison): Raised | undefined {
  if (version === undefined || version.enough) return undefined;
  const { at, revision, needed, fault } = version;
  const path = join(root, at.file);
  const lines = readFileSync(path, "utf8").split("\n");
  const index = (at.line ?? 0) - 1;
  const line = lines[index];
  // A version that is no version asks for a person.
  const raised = /^\d/.test(revision) && needed !== revision ? line?.replace(revision, needed) : line;
  if (line === undefined || raised === undefined || raised === line) throw new Failure(`${at.file}: ${fault ?? ""}`);
  lines[index] = raised;
  writeFileSync(path, lines.join("\n"));
  return { service, file: at.file, from: revision, to: needed };
}
