import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pastProxies } from "../../program.ts";
import { run, started } from "../../../src/lib/run.ts";
import type { Packed } from "../../../src/pack/pack.ts";

/** Starts a registry on loopback that has only what is published to it. @param folder where it stores that */
export async function startRegistry(folder: string) {
  mkdirSync(folder, { recursive: true });
  const args = [join(import.meta.dirname, "cli.ts"), folder];
  const ready = /http:\/\/127\.0\.0\.1:\d+\//;
  const { child, match } = await started(process.execPath, args, { cwd: folder }, ready);
  return { url: match[0], close: () => void child.kill() };
}

/** Publishes tarballs unchanged to this registry, whatever registry the machine is configured for. */
export function publish(url: string, packed: readonly Packed[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  // pnpm requires a token even if the registry does not.
  writeFileSync(join(folder, ".npmrc"), `${url.replace("http:", "")}:_authToken=none\n`);
  const where = [`--registry=${url}`, `--config.@trainyard:registry=${url}`];
  // Only the publishing workflow creates provenance.
  const how = ["--provenance=false", "--tag=latest", "--ignore-scripts", "--no-git-checks"];
  for (const { tarball } of packed)
    run("pnpm", ["publish", tarball, ...where, ...how], { cwd: folder, env: pastProxies() });
}
