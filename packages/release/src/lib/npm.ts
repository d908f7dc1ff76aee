import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.ts";
import { Unavailable, unreachable } from "./steps.ts";

/** Where a program gets the packages of this repository from, when that is no public registry. */
export interface InstallOptions {
  /** The registry of `@trainyard` alone; all others come from the one that npm is configured for. */
  readonly registry?: string;
}

/** Makes a folder with a manifest, and installs what the manifest asks for. */
export function install(folder: string, manifest: object, { registry }: InstallOptions = {}): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ private: true, ...manifest }, null, 2)}\n`);
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", "--foreground-scripts"];
  if (registry !== undefined) {
    writeFileSync(join(folder, ".npmrc"), `@trainyard:registry=${registry}\n`);
    // The port may have been another registry's in an earlier run, and npm remembers what that one said.
    args.push("--prefer-online");
  }
  run("npm", args, { cwd: folder, env: pastProxies() });
}

/** Keeps what goes to this machine itself from a proxy. */
export function pastProxies(): Record<string, string> {
  const { NO_PROXY: upper, no_proxy: lower } = process.env;
  return { NO_PROXY: [upper ?? lower, "127.0.0.1", "localhost"].filter(Boolean).join(",") };
}

/**
 * Asks the registry that npm is configured for, without which nothing from elsewhere can be installed.
 * @throws {@link Unavailable} where it does not answer
 */
export function askPublicRegistry(folder: string): void {
  const once = ["--fetch-retries=0", "--fetch-timeout=15000", "--prefer-online"];
  try {
    run("npm", ["view", "openapi-fetch", "version", ...once], { cwd: folder });
  } catch {
    throw new Unavailable(unreachable);
  }
}
