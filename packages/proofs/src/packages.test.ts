/**
 * The packages as another team gets them: packed, installed in a program outside the workspace, compiled with two versions of
 * TypeScript, and run against the packed mock on each supported runtime, and bundled in a browser.
 * `pnpm exec vitest run --project packages` runs it, with packages from the npm registry.
 */
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, pack } from "@trainyard/release/pack";
import { run } from "@trainyard/release/run";
import { withMock } from "@trainyard/release/program";
import { installTools } from "@trainyard/release/tools";
import { root } from "@trainyard/release/workspace";
import { program as chromium } from "@trainyard/testing/browser";
import { afterAll, beforeAll, describe, it, vi } from "vitest";
import { bundlePage, pageOf, runPage } from "./in-page.ts";
import { compile, compilers, installProgram, program, resolutions, runFolder } from "./packages/program.ts";
import { callsOn, faultsOn, obtain, oldNodes, runtimes, saysWhatItNeeds } from "./packages/runtimes.ts";
import { helpOfEach, wordsWithoutPeers, wordsWithPeers } from "./packages/words.ts";
import { callsInWorkerd } from "./packages/workerd.ts";

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

describe.skipIf(process.env["PACKAGES"] === undefined)("the packages, installed outside the workspace", () => {
  beforeAll(() => {
    // With it, pnpm's command `vitest` would lend packages of the workspace to every program that is started here.
    vi.stubEnv("NODE_PATH", undefined);
    build();
    installProgram(pack(join(runFolder, "tarballs")));
  }, 600_000);
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(runFolder, { recursive: true });
  });

  describe.each(Object.keys(compilers))("compile with %s", (compiler) => {
    it.each(resolutions)("and $moduleResolution", (resolution) => compile(compiler, resolution));
  });

  it.for(runtimes)("run on $title", async (runtime, { skip }) => {
    const command = obtain(runtime, skip);
    await callsOn(runtime, command);
    await faultsOn(runtime, command);
  });

  it.for(oldNodes)("say what the local server needs, on $title", (old, { skip }) =>
    saysWhatItNeeds(old, obtain(old, skip)),
  );

  it("run on workerd", ({ skip }) => callsInWorkerd(skip));

  it.skipIf(chromium === undefined).each(Object.entries(bundlers))(
    "run in Chromium, bundled by %s",
    async (_, bundle) => {
      const folder = await bundle();
      await withMock(program, ({ url }) => runPage(folder, { mock: url }));
    },
  );

  it("run the samples for Jest and msw", () => {
    const tools = installTools("testing");
    const folder = join(runFolder, "test-runners");
    const modules = join(folder, "node_modules");
    mkdirSync(modules, { recursive: true });
    symlinkSync(join(program, "node_modules/@trainyard"), join(modules, "@trainyard"), "junction");
    symlinkSync(join(tools, "node_modules/msw"), join(modules, "msw"), "junction");
    cpSync(join(root, "packages/samples/testing"), folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const jest = join(tools, "node_modules/jest/bin/jest.js");
    // The packages are ES modules, which Jest supports with a flag of Node.
    run(process.execPath, ["--experimental-vm-modules", jest, "--testMatch=**/agent.*.mjs"], { cwd: folder });
  });

  it("print the help of each command", () => helpOfEach());
  it("run the commands without their optional packages", () => wordsWithoutPeers());
  it("name the optional packages that a command needs, and run with them", () => wordsWithPeers());
});
