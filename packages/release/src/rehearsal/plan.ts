import { existsSync } from "node:fs";
import { join } from "node:path";
import { assembleReleasePlan } from "@changesets/assemble-release-plan";
import { readConfig } from "@changesets/config";
import { readChangesets } from "@changesets/read";
import { getPackages } from "@manypkg/get-packages";
import { published, root } from "../lib/workspace.ts";

/** The version that each package will be published as, once the changesets that wait are applied. */
export async function plannedVersions(workspace: string = root): Promise<Map<string, string>> {
  const versions = new Map(published(workspace).map(({ manifest }) => [manifest.name, manifest.version]));
  if (!existsSync(join(workspace, ".changeset/config.json"))) return versions;
  const packages = await getPackages(workspace);
  const { config, errors } = await readConfig(workspace, packages);
  if (errors !== undefined) throw new Error(`.changeset/config.json is not right:\n${errors.join("\n")}`);
  const plan = assembleReleasePlan(await readChangesets(workspace), packages, config, undefined);
  for (const { name, newVersion } of plan.releases)
    if (versions.has(name) && newVersion !== undefined) versions.set(name, newVersion);
  return versions;
}
