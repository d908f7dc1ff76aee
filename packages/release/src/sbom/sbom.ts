import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../lib/run.ts";
import { root } from "../lib/workspace.ts";
import type { Packed } from "../pack/pack.ts";

/** The fields of an SBOM that are read here: CycloneDX 1.6. */
export interface Sbom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
}

export interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
  readonly externalReferences?: readonly {
    readonly type: string;
    readonly url: string;
    readonly hashes?: readonly object[];
  }[];
}

/** As in manifests: `@trainyard/core`. */
export function nameOf({ group, name }: Pick<Component, "group" | "name">): string {
  return group === undefined ? name : `${group}/${name}`;
}

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

/** Reads an SBOM that {@link makeSboms} wrote. */
export function readSbom(folder: string, name: string): Sbom {
  const sbom: Sbom = JSON.parse(readFileSync(join(folder, sbomFile(name)), "utf8"));
  return sbom;
}

/** The faults of an SBOM. */
export function sbomFaults(sbom: Sbom | undefined, { name, version, manifest }: Packed): string[] {
  if (sbom?.bomFormat !== "CycloneDX") return [`${name} has no SBOM of CycloneDX.`];
  const { component } = sbom.metadata;
  const listed = new Set(sbom.components.map(nameOf));
  return [
    ...(nameOf(component) === name && component.version === version
      ? []
      : [`The SBOM of ${name} ${version} is of ${nameOf(component)} ${component.version}.`]),
    ...Object.keys({ ...manifest.optionalDependencies, ...manifest.dependencies })
      .filter((needed) => !listed.has(needed))
      .map((needed) => `The SBOM of ${name} leaves out ${needed}.`),
    ...sbom.components
      .filter((part) => part.group !== component.group && !hasDigest(part))
      .map((part) => `The SBOM of ${name} names ${nameOf(part)} without a digest.`),
  ];
}

function hasDigest({ externalReferences = [] }: Component): boolean {
  return externalReferences.some(({ hashes = [] }) => hashes.length > 0);
}
