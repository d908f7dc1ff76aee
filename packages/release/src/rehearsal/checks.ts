import { globSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { refuse, type Steps, Unavailable } from "../lib/steps.ts";
import { published, readManifest, root } from "../lib/workspace.ts";
import { licenseFaults, needlessStatements } from "../licenses/licenses.ts";
import { lint } from "../pack/lint.ts";
import { pack, type Packed } from "../pack/pack.ts";
import { makeSboms, readSbom, sbomFaults } from "../sbom/sbom.ts";
import { type Expected, faultsOf } from "./contents.ts";
import { findHome } from "./home.ts";
import { foreignHome, provenanceFaults, repositoryFaults } from "./provenance.ts";
import { readContents, unpack } from "./tarball.ts";
import { versionFaults } from "./versions.ts";

/** Checks everything about the packed packages that a release requires, except for publishing them. */
export async function checkPacked(steps: Steps, packed: readonly Packed[], temporary: string): Promise<void> {
  await steps.take("pack again: the same bytes", () => {
    const again = new Map(pack(join(temporary, "again")).map(({ name, integrity }) => [name, integrity]));
    refuse(
      packed
        .filter(({ name, integrity }) => again.get(name) !== integrity)
        .map(({ name }) => `${name} results in different bytes each time. Find the file that changes.`),
    );
  });
  const expected: Expected = {
    license: readManifest(join(root, "package.json")).license ?? "",
    folders: [root],
    packages: new Map(published().map(({ manifest }) => [manifest.name, manifest])),
  };
  const unpacked = new Map(
    packed.map((one) => [one.name, unpack(one.tarball, join(temporary, "unpacked", basename(one.tarball)))]),
  );
  for (const one of packed) {
    const folder = unpacked.get(one.name) ?? "";
    await steps.take(`${one.name}: contents`, () => refuse(faultsOf(readContents(folder), expected)));
  }
  await lint(steps, packed);
  const manifests = [...unpacked.values()].map((folder) => readManifest(join(folder, "package.json")));
  await steps.take("versions", () => refuse(versionFaults(manifests, privateNames())));
  await checkProvenance(steps);
  await checkParts(steps, packed, join(temporary, "sboms"));
}

/** Checks that private packages are not published. */
function privateNames(): Set<string> {
  const open = new Set(published().map(({ manifest }) => manifest.name));
  const all = globSync("{packages/*,scripts}/package.json", { cwd: root }).map(
    (file) => readManifest(join(root, file)).name,
  );
  return new Set(all.filter((name) => !open.has(name)));
}

async function checkProvenance(steps: Steps): Promise<void> {
  const packages = published().map(({ folder, manifest }) => ({
    manifest,
    directory: relative(root, folder).replaceAll("\\", "/"),
  }));
  const manifests = packages.map(({ manifest }) => manifest);
  await steps.take("provenance: settings of each package", () =>
    refuse(manifests.flatMap((manifest) => provenanceFaults(manifest).map((fault) => `${manifest.name}: ${fault}`))),
  );
  await steps.take("provenance: the repository that each package names", () => {
    const home = findHome();
    const faults = repositoryFaults(packages, home);
    if (faults === undefined)
      throw new Unavailable(
        "This repository has no public address yet. Once it has one, write it in `repository` of each package.json.",
      );
    refuse(faults);
    const foreign = foreignHome(manifests, home);
    if (foreign !== undefined)
      throw new Unavailable(`The packages are of ${foreign}, and this checkout of ${home}, which cannot publish them.`);
  });
}

/** Checks what each package consists of, and under which licenses. */
async function checkParts(steps: Steps, packed: readonly Packed[], folder: string): Promise<void> {
  const names = packed.map(({ name }) => name);
  const made = await steps.take("SBOM of each package", () => {
    makeSboms(names, folder);
    const sboms = names.map((name) => readSbom(folder, name));
    refuse(packed.flatMap((one, index) => sbomFaults(sboms[index], one)));
    return sboms;
  });
  if (!made) return;
  await steps.take("licenses of all that is installed with them", () =>
    refuse([
      ...new Set(made.value.flatMap(licenseFaults)),
      ...needlessStatements(made.value).map((id) => `Nothing needs ${id} any more: take it out of \`stated\`.`),
    ]),
  );
}
