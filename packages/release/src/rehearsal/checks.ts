import { basename, join } from "node:path";
import { readHome } from "../lib/home.ts";
import { refuse, type Steps } from "../lib/steps.ts";
import { published, readManifest, root } from "../lib/workspace.ts";
import { packClients } from "../pack/clients.ts";
import { lint } from "../pack/lint.ts";
import type { Packed } from "../pack/pack.ts";
import { type Expected, faultsOf } from "./contents.ts";
import { licenseFaults, listLicenses } from "./licenses.ts";
import { readContents, unpack } from "./tarball.ts";

/** Checks everything about the packed packages that a release requires, except for publishing them. */
export async function checkPacked(steps: Steps, packed: readonly Packed[], temporary: string): Promise<void> {
  await steps.take("pack again for another repository, with SBOMs: the same bytes", () => {
    const again = new Map(packClients(join(temporary, "clients")).map(({ name, integrity }) => [name, integrity]));
    refuse(
      packed
        .filter(({ name, integrity }) => again.get(name) !== integrity)
        .map(({ name }) => `${name} results in different bytes each time. Find the file that changes.`),
    );
  });
  for (const one of packed)
    await steps.take(`${one.name}: contents`, () => refuse(contentsFaults(one, join(temporary, "unpacked"))));
  await lint(steps, packed);
  await steps.take("licenses of all that is installed with them", () => refuse(licenseFaults(listLicenses())));
}

/** What a tarball lacks, or has too much, as sentences. It is unpacked into a folder below this one. */
export function contentsFaults({ tarball }: Packed, temporary: string): string[] {
  const expected: Expected = {
    license: readManifest(join(root, "package.json")).license ?? "",
    folders: [root],
    home: readHome(),
    packages: new Map(published().map(({ manifest }) => [manifest.name, manifest])),
  };
  return faultsOf(readContents(unpack(tarball, join(temporary, basename(tarball)))), expected);
}
