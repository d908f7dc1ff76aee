import { run } from "../../src/lib/run.ts";
import { published, root } from "../../src/lib/workspace.ts";

/** The licenses that packages may have that are installed with ours: those that require no more than a notice. */
const plain = "0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC MIT Python-2.0".split(" ");
const allowed = new Set([...plain, "(MIT OR CC0-1.0)"]);

/** Packages by their license, as pnpm reads it from manifests and LICENSE files. */
type Licenses = Readonly<Record<string, readonly { readonly name: string; readonly versions: readonly string[] }[]>>;

/** Lists what is installed with the published packages. */
export function listLicenses(): Licenses {
  const filters = published().flatMap(({ manifest }) => ["--filter", manifest.name]);
  return JSON.parse(run("pnpm", [...filters, "licenses", "list", "--prod", "--json"], { cwd: root }));
}

/** A sentence for each package whose license is unknown or not allowed. An expression needs a person, too. */
export function licenseFaults(licenses: Licenses): string[] {
  return Object.entries(licenses)
    .filter(([license]) => !allowed.has(license))
    .flatMap(([license, packages]) =>
      packages.map(
        ({ name, versions }) =>
          `${name}@${versions.join(", ")} has the license ${license}, which is not allowed. Use another package.`,
      ),
    );
}
