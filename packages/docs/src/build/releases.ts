import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../places.ts";

/** One release of the clients, as `pnpm release:version` keeps it. */
export interface Release {
  readonly version: string;
  readonly date: string;
  /** `info.version` by service, of the clients that were released. */
  readonly contract: Readonly<Record<string, string>>;
}

/** All releases, newest first. */
export function readReleases(): Release[] {
  const file = join(root, "openapi/releases.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
}
