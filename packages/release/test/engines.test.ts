import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { minVersion, satisfies } from "semver";
import { expect, it } from "vitest";
import { published, readManifest, type Manifest } from "../src/lib/workspace.ts";

/** The folder of a dependency, as Node finds it. */
function folderOf(name: string, from: string): string | undefined {
  const folder = join(from, "node_modules", name);
  if (existsSync(folder)) return realpathSync(folder);
  return dirname(from) === from ? undefined : folderOf(name, dirname(from));
}

/** The dependencies of a package that are not ours, with those of its dependencies. */
function strangersOf(folder: string, manifest: Manifest, found = new Map<string, Manifest>()): Map<string, Manifest> {
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    const at = folderOf(name, folder);
    if (at === undefined || found.has(at)) continue;
    const own = readManifest(join(at, "package.json"));
    found.set(at, own);
    strangersOf(at, own, found);
  }
  return found;
}

it("what a package installs runs on the oldest Node that the package names", () => {
  const faults = published().flatMap(({ folder, manifest }) => {
    const oldest = minVersion(manifest.engines?.["node"] ?? "")?.version ?? "";
    return [...strangersOf(folder, manifest).values()]
      .filter(({ name, engines }) => !/^(@trainyard\/|trainyard$)/.test(name) && engines?.["node"] !== undefined)
      .filter(({ engines }) => !satisfies(oldest, engines?.["node"] ?? "*"))
      .map(({ name, engines }) => `${manifest.name} (Node ${oldest}) installs ${name} (${engines?.["node"]})`);
  });
  expect(faults).toEqual([]);
});
