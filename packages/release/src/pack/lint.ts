import { run } from "../lib/run.ts";
import type { Steps } from "../lib/steps.ts";
import { commandOf, installTools } from "../lib/tools.ts";
import { root } from "../lib/workspace.ts";
import { isPublic } from "../rehearsal/contents.ts";
import type { Packed } from "./pack.ts";

/** Checks whether tarballs are what registries, bundlers and TypeScript expect, in two steps for each. */
export async function lint(steps: Steps, packed: readonly Packed[]): Promise<void> {
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
  run(commandOf("linters", "publint"), [tarball, "--strict"], { cwd: root });
}

/** Whether the types of a tarball are found, and match the code. */
function attw({ tarball, manifest }: Packed): void {
  // Exports that are not modules have no types, and those for this repository alone cannot be imported.
  const others = Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) =>
    entry.endsWith(".yaml") || !isPublic(target) ? [entry] : [],
  );
  const excluded = others.length > 0 ? ["--exclude-entrypoints", ...others] : [];
  run(commandOf("linters", "attw"), [tarball, "--profile", "esm-only", ...excluded], { cwd: root });
}
