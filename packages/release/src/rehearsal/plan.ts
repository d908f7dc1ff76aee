import { assembleReleasePlan } from "@changesets/assemble-release-plan";
import { readConfig } from "@changesets/config";
import { readChangesets } from "@changesets/read";
import { getPackages } from "@manypkg/get-packages";
import { published, root } from "../lib/workspace.ts";

/** The version that each package will be published as, after the waiting changesets are applied. */
export async function plannedVersions(): Promise<Map<string, string>> {
  const versions = new Map(published().map(({ manifest }) => [manifest.name, manifest.version]));
  const packages = await getPackages(root);
  const { config, errors } = await readConfig(root, packages);
  if (errors !== undefined) throw new Error(`.changeset/config.json is not right:\n${errors.join("\n")}`);
  const plan = assembleReleasePlan(await readChangesets(root), packages, config, undefined);
  for (const { name, newVersion } of plan.releases)
    if (versions.has(name) && newVersion !== undefined) versions.set(name, newVersion);
  return versions;
}
