import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "../lib/run.ts";
import { root } from "../lib/workspace.ts";

/** The name of the file that {@link makeSboms} writes for a package. */
export function sbomFile(name: string): string {
  return `${name.replace("@", "").replace("/", "-")}.cdx.json`;
}

/** Has pnpm write the SBOM of each package, from the lockfile, to a folder. */
export function makeSboms(names: readonly string[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  const form = ["--sbom-format", "cyclonedx", "--sbom-spec-version", "1.6", "--prod", "--exclude-peers", "--split"];
  const filters = names.flatMap((name) => ["--filter", name]);
  run("pnpm", ["sbom", ...form, "--out", join(folder, "%s.cdx.json"), ...filters], { cwd: root });
}
