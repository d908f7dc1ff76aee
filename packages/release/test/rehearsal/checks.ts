import { join } from "node:path";
import { run } from "../../src/lib/run.ts";
import { installTools } from "../../src/lib/tools.ts";
import { root } from "../../src/lib/workspace.ts";
import { packClients } from "../../src/pack/clients.ts";
import type { Packed } from "../../src/pack/pack.ts";
import { contentsFaults, isPublic } from "../../src/rehearsal/contents.ts";
import { licenseFaults, listLicenses } from "./licenses.ts";
import { refuse, type Steps } from "./steps.ts";

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

/** Checks whether tarballs are what registries, bundlers and TypeScript expect, in two steps for each. */
async function lint(steps: Steps, packed: readonly Packed[]): Promise<void> {
  const installed = await steps.take("install publint and attw", () => installTools("linters"));
  for (const one of packed) {
    const checks = { "publint --strict": publint, attw };
    for (const [name, check] of Object.entries(checks)) {
      const what = `${one.name}: ${name}`;
      if (installed === undefined) steps.skip(what, "It is not installed.");
      else await steps.take(what, () => check(one));
    }
  }
}

/** Whether a tarball is built as registries and bundlers expect. */
function publint({ tarball }: Packed): void {
  run(join(installTools("linters"), "node_modules/.bin", "publint"), [tarball, "--strict"], { cwd: root });
}

/** Whether the types of a tarball are found, and match the code. */
function attw({ tarball, manifest }: Packed): void {
  // Exports that are not modules have no types, and those for this repository alone cannot be imported.
  const others = Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) =>
    entry.endsWith(".yaml") || !isPublic(target) ? [entry] : [],
  );
  const excluded = others.length > 0 ? ["--exclude-entrypoints", ...others] : [];
  run(join(installTools("linters"), "node_modules/.bin", "attw"), [tarball, "--profile", "esm-only", ...excluded], {
    cwd: root,
  });
}
