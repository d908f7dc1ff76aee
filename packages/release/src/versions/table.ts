import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "@trainyard/contract";

/** One release: the version of the packages that came with it, and the contracts that its clients are made from. */
export interface Release {
  readonly version: string;
  /** As `2026-11-04`. */
  readonly date: string;
  /** `info.version` by service, of the clients that were released. */
  readonly contract: Readonly<Record<string, string>>;
}

/** Where the table of client and contract versions is kept. The site shows it. */
export const tableFile = "openapi/releases.json";

/** All releases, newest first; none before the first one. @throws {@link Failure} where the file is broken. */
export function readReleases(root: string): Release[] {
  const file = join(root, tableFile);
  if (!existsSync(file)) return [];
  const value: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (Array.isArray(value) && value.every(isRelease)) return value;
  throw new Failure(
    `${tableFile} is no list of releases. Take it back from git: \`pnpm release:version\` alone writes it.`,
  );
}

function isRelease(value: unknown): value is Release {
  if (typeof value !== "object" || value === null) return false;
  const { version, date, contract }: Partial<Record<keyof Release, unknown>> = value;
  return typeof version === "string" && typeof date === "string" && typeof contract === "object" && contract !== null;
}

export function printReleases(releases: readonly Release[]): string {
  return `${JSON.stringify(releases, null, 2)}\n`;
}

/** The last release that a service's client came with. */
export function lastRelease(releases: readonly Release[], service: string): Release | undefined {
  return releases.find(({ contract }) => Object.hasOwn(contract, service));
}
