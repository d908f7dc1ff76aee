import { hash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pack } from "./pack.ts";
import { root } from "../lib/workspace.ts";

/** What `changeset publish-plan --output` writes: groups of packages, one after the other. */
export interface Plan {
  readonly version: 1;
  readonly plan: readonly (readonly { readonly kind: string; readonly name: string; readonly version: string }[])[];
}

/**
 * Does what `changeset pack` does, with the tarballs of this package: those that are checked are those that are published.
 *
 * @param out an empty folder, for `changeset publish --from-pack-dir`
 * @returns the names of the packed packages
 */
export function packPlan({ version, plan }: Plan, out: string): string[] {
  mkdirSync(out, { recursive: true });
  if (readdirSync(out).length > 0) throw new Error(`${out} is not empty. Name another folder with --out.`);
  const names = plan.flat().flatMap(({ kind, name }) => (kind === "publish" ? [name] : []));
  const packed = names.length > 0 ? pack(join(out, "packages"), root, names) : [];
  const tarballs = new Map(packed.map(({ name, tarball }) => [name, tarball]));
  const withTarballs = plan.map((group) =>
    group.map((release) => {
      const tarball = release.kind === "publish" ? tarballs.get(release.name) : undefined;
      if (tarball === undefined) return release;
      const integrity = `sha256-${hash("sha256", readFileSync(tarball), "base64")}`;
      return { ...release, tarball: { path: `packages/${basename(tarball)}`, integrity } };
    }),
  );
  writeFileSync(join(out, "publish-plan.json"), JSON.stringify({ version, plan: withTarballs }, null, 2));
  return names;
}
