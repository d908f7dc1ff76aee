import { basename, join, relative } from "node:path";
import { refuse, type Steps, Unavailable } from "../lib/steps.ts";
import { published, readManifest, root } from "../lib/workspace.ts";
import { packClients } from "../pack/clients.ts";
import { lint } from "../pack/lint.ts";
import type { Packed } from "../pack/pack.ts";
import { type Expected, faultsOf } from "./contents.ts";
import { licenseFaults, listLicenses } from "./licenses.ts";
import { findHome, repositoryFaults, settingFaults } from "./provenance.ts";
import { readContents, unpack } from "./tarball.ts";

/** Checks everything about the packed packages that a release requires, except for publishing them. */
export async function checkPacked(steps: Steps, packed: readonly Packed[], temporary: string): Promise<void> {
  await steps.take("pack again for another repository, with SBOMs: the same bytes", () => {
    const { packages } = packClients(join(temporary, "clients"));
    const again = new Map(packages.map(({ name, integrity }) => [name, integrity]));
    refuse(
      packed
        .filter(({ name, integrity }) => again.get(name) !== integrity)
        .map(({ name }) => `${name} results in different bytes each time. Find the file that changes.`),
    );
  });
  for (const one of packed)
    await steps.take(`${one.name}: contents`, () => refuse(contentsFaults(one, join(temporary, "unpacked"))));
  await lint(steps, packed);
  await checkProvenance(steps, packed, temporary);
  await steps.take("licenses of all that is installed with them", () => refuse(licenseFaults(listLicenses())));
}

/** What a tarball lacks, or has too much, as sentences. It is unpacked into a folder below this one. */
export function contentsFaults({ tarball }: Packed, temporary: string): string[] {
  const expected: Expected = {
    license: readManifest(join(root, "package.json")).license ?? "",
    folders: [root],
    packages: new Map(published().map(({ manifest }) => [manifest.name, manifest])),
  };
  return faultsOf(readContents(unpack(tarball, join(temporary, basename(tarball)))), expected);
}

async function checkProvenance(steps: Steps, packed: readonly Packed[], temporary: string): Promise<void> {
  const folders = new Map(published().map(({ folder, manifest }) => [manifest.name, folder]));
  const packages = packed.map(({ name, tarball }) => ({
    manifest: readManifest(join(temporary, "unpacked", basename(tarball), "package/package.json")),
    directory: relative(root, folders.get(name) ?? root).replaceAll("\\", "/"),
  }));
  await steps.take("provenance: settings of each package", () => refuse(packages.flatMap(settingFaults)));
  await steps.take("provenance: the repository that each package names", () => {
    const { repository } = readManifest(join(root, "package.json"));
    const home = typeof repository === "string" ? repository : undefined;
    const here = findHome();
    if (home === undefined && here === undefined)
      throw new Unavailable(
        "This repository has no public address yet. Once it has one, write it as `repository` in the package.json of the root.",
      );
    refuse(repositoryFaults(packages, home, here));
  });
}
