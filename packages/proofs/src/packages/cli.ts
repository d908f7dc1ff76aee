/**
 * `pnpm test packages`: the packages as another team gets them. Packs tarballs, installs them in a program outside the
 * workspace, compiles it with two versions of TypeScript, and runs it against the packed mock on each supported runtime,
 * and bundled in a browser. Uses the npm registry.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build, pack } from "@trainyard/release/pack";
import { Steps } from "@trainyard/release/steps";
import { callsInBrowser } from "./browsers.ts";
import { bundlers, minified } from "./bundles.ts";
import { runFolder } from "./places.ts";
import { compile, compilers, installProgram, resolutions } from "./program.ts";
import { errorsOfTwoCopies, fiveOperations, obtain, oldNodes, runtimes, saysWhatItNeeds } from "./runtimes.ts";
import { samplesOfTestRunners } from "./test-runners.ts";
import { callsInWorkerd, obtainWorkerd } from "./workerd.ts";

const steps = new Steps();

/** The tarballs, and a program that installs them. Everything else depends on them. */
async function prepare(): Promise<boolean> {
  if (!(await steps.take("build", () => build()))) return false;
  const packed = await steps.take("pack", () => pack(join(runFolder, "tarballs")));
  if (!packed) return false;
  if (!(await steps.take("install into a program outside the workspace", () => installProgram(packed.value))))
    return false;
  let compiled = false;
  for (const compiler of Object.keys(compilers))
    for (const resolution of resolutions) {
      const what = `compile with ${compiler}, ${resolution.moduleResolution}`;
      if (await steps.take(what, () => compile(compiler, resolution))) compiled = true;
    }
  return compiled;
}

/** Five operations on each runtime, and tests that only one runtime supports. */
async function runOnEach(): Promise<void> {
  for (const runtime of runtimes)
    await steps.take(`run on ${runtime.title}`, () => fiveOperations(runtime, obtain(runtime)));
  for (const old of oldNodes)
    await steps.take(`say what the local server needs, on ${old.title}`, () => saysWhatItNeeds(old, obtain(old)));
  await steps.take("run on workerd", () => callsInWorkerd(obtainWorkerd()));
  for (const { title, bundle } of bundlers)
    await steps.take(`run in Chromium, bundled by ${title}`, async () => callsInBrowser(bundle));
  await steps.take("run the samples for Jest and msw", () => samplesOfTestRunners());
  await steps.take("errors of two copies, one of them minified", () => errorsOfTwoCopies(minified));
}

try {
  if (await prepare()) await runOnEach();
  else console.error("\nThe remaining steps depend on it and were not run.");
} finally {
  rmSync(runFolder, { recursive: true, force: true });
  steps.close();
  if (process.exitCode) console.error("\nFix the listed failures, then run: npx -y pnpm@12 test packages");
}
