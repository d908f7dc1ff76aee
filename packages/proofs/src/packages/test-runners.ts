import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@trainyard/release/run";
import { installTools } from "@trainyard/release/tools";
import { runFolder, program, root } from "./places.ts";

/** Runs the samples for Jest and msw in a program that has the packed packages. */
export function samplesOfTestRunners(): void {
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
