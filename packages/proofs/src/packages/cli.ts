/**
 * `pnpm test:packages`: the packages as another team gets them. Packs tarballs, installs them in a program outside the
 * workspace, compiles it with two versions of TypeScript, and runs it against the packed mock on each supported runtime,
 * and bundled in a browser. Uses the npm registry.
 */
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@trainyard/release/run";
import { installTools } from "@trainyard/release/tools";
import { root } from "@trainyard/release/workspace";
import { build, pack } from "@trainyard/release/pack";
import { withMock } from "@trainyard/release/services";
import { Steps } from "@trainyard/release/steps";
import { bundlePage, pageOf, runPage } from "../in-page.ts";
import { compile, compilers, installProgram, program, resolutions, runFolder } from "./program.ts";
import { callsOn, faultsOn, obtain, oldNodes, runtimes, saysWhatItNeeds } from "./runtimes.ts";
import { helpOfEach, wordsWithoutPeers, wordsWithPeers } from "./words.ts";
import { callsInWorkerd } from "./workerd.ts";

const steps = new Steps();

/** The page of the program, as bundlers build it: each returns the folder to serve. */
const bundlers: Readonly<Record<string, () => Promise<string>>> = {
  esbuild: () => bundlePage(join(program, "src/page.ts"), join(runFolder, "esbuild")),
  async Vite() {
    writeFileSync(join(program, "index.html"), pageOf("/src/page.ts"));
    const vite = join(program, "node_modules/vite/bin/vite.js");
    run(process.execPath, [vite, "build", "--logLevel", "warn", "--outDir", "page"], { cwd: program });
    return join(program, "page");
  },
};

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

/** The calls on each runtime, and tests that only one runtime supports. */
async function runOnEach(): Promise<void> {
  for (const runtime of runtimes)
    await steps.take(`run on ${runtime.title}`, async () => {
      const command = obtain(runtime);
      await callsOn(runtime, command);
      await faultsOn(runtime, command);
    });
  for (const old of oldNodes)
    await steps.take(`say what the local server needs, on ${old.title}`, () => saysWhatItNeeds(old, obtain(old)));
  await steps.take("run on workerd", () => callsInWorkerd());
  for (const [title, bundle] of Object.entries(bundlers))
    await steps.take(`run in Chromium, bundled by ${title}`, async () => {
      const folder = await bundle();
      await withMock(program, ({ url }) => runPage(folder, { mock: url }));
    });
  await steps.take("run the samples for Jest and msw", () => samplesOfTestRunners());
  await steps.take("print the help of each command", () => helpOfEach());
  await steps.take("run the commands without their optional packages", () => wordsWithoutPeers());
  await steps.take("install the optional packages as the commands say, and run them", () => wordsWithPeers());
}

/** Runs the samples for Jest and msw in a program that has the packed packages. */
function samplesOfTestRunners(): void {
  const tools = installTools("testing");
  const folder = join(runFolder, "test-runners");
  const modules = join(folder, "node_modules");
  mkdirSync(modules, { recursive: true });
  symlinkSync(join(program, "node_modules/@trainyard"), join(modules, "@trainyard"), "junction");
  symlinkSync(join(tools, "node_modules/msw"), join(modules, "msw"), "junction");
  cpSync(join(root, "packages/samples/testing"), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  // The packages are ES modules, which Jest supports with a flag of Node.
  const args = [
    "--experimental-vm-modules",
    join(tools, "node_modules/jest/bin/jest.js"),
    "--testMatch=**/agent.*.mjs",
  ];
  run(process.execPath, args, { cwd: folder });
}

try {
  if (await prepare()) await runOnEach();
  else console.error("\nThe remaining steps depend on it and were not run.");
} finally {
  rmSync(runFolder, { recursive: true, force: true });
  steps.close();
  if (process.exitCode) console.error("\nFix the listed failures, then run: npx -y pnpm@12 test:packages");
}
