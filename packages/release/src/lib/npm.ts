import { run } from "./run.ts";

/** Thrown if something is not available on this machine. What needs it is reported as skipped, neither failed nor passed. */
export class Unavailable extends Error {
  override name = "Unavailable";
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
    throw new Unavailable("The registry that npm is configured for does not answer.");
  }
}
