import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.ts";
import { Unavailable, unreachable } from "./steps.ts";

/**
 * Creates a folder with a manifest, and installs its dependencies.
 * @param registry of `@trainyard` only; other packages come from the one that npm is configured for
 */
export function install(folder: string, manifest: object, registry?: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ private: true, ...manifest }, null, 2)}\n`);
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", "--foreground-scripts"];
  if (registry !== undefined) {
    writeFileSync(join(folder, ".npmrc"), `@trainyard:registry=${registry}\n`);
    // An earlier run may have used the port for another registry, whose responses npm has cached.
    args.push("--prefer-online");
  }
  run("npm", args, { cwd: folder, env: pastProxies() });
}

/** Excludes requests to this machine from a proxy. */
export function pastProxies(): Record<string, string> {
  const { NO_PROXY: upper, no_proxy: lower } = process.env;
  return { NO_PROXY: [upper ?? lower, "127.0.0.1", "localhost"].filter(Boolean).join(",") };
}

/**
 * Checks the registry that npm is configured for, without which other packages cannot be installed.
 * @throws {@link Unavailable} if it does not respond
 */
export function askPublicRegistry(folder: string): void {
  const once = ["--fetch-retries=0", "--fetch-timeout=15000", "--prefer-online"];
  try {
    run("npm", ["view", "openapi-fetch", "version", ...once], { cwd: folder });
  } catch {
    throw new Unavailable(unreachable);
  }
}
