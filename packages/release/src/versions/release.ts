import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  deprecatedIn,
  Failure,
  goneServices,
  readReleases,
  type Release,
  releasedFile,
  type ServiceComparison,
  tableFile,
  toDocument,
} from "@trainyard/contract";
import { changeList } from "../changelog/change-list.ts";
import { addSections, section } from "../changelog/contract.ts";
import { describeWhole } from "../changelog/whole.ts";
import { run } from "../lib/run.ts";
import { readManifest, root as home } from "../lib/workspace.ts";
import { judgeChangesets } from "./agreement.ts";
import { readChangesets } from "./changeset.ts";
import { type Client, readClients } from "./clients.ts";
import { compareWithReleased } from "./compare.ts";

/** The changelog of the contract, which the site shows as a page. */
export const changelogFile = "openapi/CHANGELOG.md";

/**
 * Raises the versions of the packages by the changesets, and writes everything that depends on them: the changelog of
 * each package, that of the contract, and the table of versions. Commits nothing.
 *
 * @param date as `2026-11-04`
 * @returns what was done, as sentences
 * @throws {@link Failure} if there is nothing to release, or the changesets do not match the contract's changes
 */
export function makeRelease(root: string, date: string): string[] {
  const changesets = readChangesets(root);
  if (changesets.length === 0) {
    throw new Failure(
      "Nothing can be released, because there is no changeset. Write one with: npx -y pnpm@12 changeset",
    );
  }
  const before = readClients(root);
  const releases = readReleases(root);
  const compared = compareWithReleased(root);
  const comparisons = [...compared.values()];
  const wrong = judgeChangesets(root, comparisons, changesets).filter(({ agrees }) => !agrees);
  if (wrong.length > 0) throw new Failure(wrong.map(({ sentence }) => sentence).join("\n"));
  describeWhole(root, comparisons, changesets);

  const changeset = createRequire(join(home, "package.json")).resolve("@changesets/cli/bin.js");
  run(process.execPath, [changeset, "version"], { cwd: root });
  const released = readClients(root).filter(({ service, version }) =>
    before.every((client) => client.service !== service || client.version !== version),
  );
  const written = writeContract(root, released, compared, releases, date);
  nameEngine(root);
  return [
    ...released.map(({ name, version, contract }) => `${name} ${version}, made from contract ${contract}.`),
    ...written.map((file) => `Wrote ${file}.`),
    "Look at the changes and commit them.",
  ];
}

/** Writes the changelog of the contract and the table, and returns the files. */
function writeContract(
  root: string,
  released: readonly Client[],
  compared: ReadonlyMap<string, ServiceComparison>,
  releases: readonly Release[],
  date: string,
): string[] {
  const gone = goneServices(root);
  if (released.length + gone.length === 0) return [];
  const sections = [
    ...released.flatMap(
      ({ service, name, version, contract }) =>
        section({ service, contract, client: `\`${name}\` ${version}`, date, since: compared.get(service) }) ?? [],
    ),
    ...gone.map((service) => `## ${service}\n\nIt was removed, ${date}.\n\n${changeList(compared.get(service))}\n`),
  ];
  // Later changes are not compared with it any more.
  for (const service of gone) rmSync(join(root, releasedFile(service)));
  const changelog = join(root, changelogFile);
  const text = existsSync(changelog) ? readFileSync(changelog, "utf8") : undefined;
  writeFileSync(changelog, addSections(text, sections));
  // Linked packages that are released together have the same version.
  const versions = [...new Set(released.map(({ version }) => version))];
  const rows = versions.map((version): Release => {
    const own = released.filter((client) => client.version === version);
    const deprecated = own.flatMap(({ service }) => {
      const marked = deprecatedIn(generatedDocument(root, service));
      return marked.length === 0 ? [] : [[service, marked] as const];
    });
    return {
      version,
      date,
      contract: Object.fromEntries(own.map(({ service, contract }) => [service, contract])),
      ...(deprecated.length > 0 && { deprecated: Object.fromEntries(deprecated) }),
    };
  });
  writeFileSync(join(root, tableFile), `${JSON.stringify([...rows, ...releases], null, 2)}\n`);
  return [changelogFile, tableFile, ...released.map(({ service }) => keepBundle(root, service))];
}

function generatedDocument(root: string, service: string): Parameters<typeof deprecatedIn>[0] {
  const text = readFileSync(join(root, "packages", service, "src/generated/openapi.json"), "utf8");
  return toDocument(service, JSON.parse(text));
}

/** Stores the released bundles, for comparison with later changes. */
function keepBundle(root: string, service: string): string {
  const file = releasedFile(service);
  mkdirSync(dirname(join(root, file)), { recursive: true });
  copyFileSync(join(root, "packages", service, "src/generated/openapi.json"), join(root, file));
  return file;
}

/** The engine sends its version to services, and cannot read a package.json. */
function nameEngine(root: string): void {
  const file = join(root, "packages/core/src/version.ts");
  const { version } = readManifest(join(root, "packages/core/package.json"));
  writeFileSync(file, readFileSync(file, "utf8").replace(/(version = )"[^"]*"/, `$1"${version}"`));
}
