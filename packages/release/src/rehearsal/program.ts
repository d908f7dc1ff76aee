import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { install } from "../lib/npm.ts";
import { run } from "../lib/run.ts";
import { withServer } from "../lib/services.ts";
import { root } from "../lib/workspace.ts";
import { tsc } from "./consumers.ts";

/** A program of another team that installs our packages by range. */
export function installByRange(folder: string, ranges: Record<string, string>, registry: string): void {
  mkdirSync(folder, { recursive: true });
  const manifest = { name: "program", type: "module", dependencies: ranges, devDependencies: { "@types/node": "^24" } };
  install(folder, manifest, { registry });
  for (const name of Object.keys(ranges))
    if (!existsSync(join(folder, "node_modules", name, "package.json")))
      throw new Error(`npm did not install ${name}.`);
}

/** Compiles the program, and runs it against the local server that is installed with it. */
export async function runAgainstServer(folder: string): Promise<void> {
  cpSync(join(root, "packages/samples/programs/five-operations.ts"), join(folder, "program.ts"));
  const compilerOptions = {
    target: "es2023",
    module: "nodenext",
    lib: ["es2023", "dom"],
    types: ["node"],
    strict: true,
    outDir: "out",
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["program.ts"] }));
  run(process.execPath, [tsc, "-p", "tsconfig.json"], { cwd: folder });
  const printed = await withServer(folder, ({ env }) =>
    run(process.execPath, ["out/program.js"], { cwd: folder, env }),
  );
  if (!/^buckets \d+$/m.test(printed)) throw new Error(`The program ended early. It printed:\n${printed}`);
}
