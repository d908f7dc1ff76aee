import { cpSync, globSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Packed } from "@trainyard/release/pack";
import { install, strictOptions } from "@trainyard/release/program";
import { run } from "@trainyard/release/run";
import { root } from "@trainyard/release/workspace";

/** A folder for this run, outside the workspace, removed at its end. */
export const runFolder: string = mkdtempSync(join(tmpdir(), "trainyard-packages-"));

/** The program of another team, with the packed packages. */
export const program: string = join(runFolder, "program");

/** The compilers that the packages support, by their installed names. */
export const compilers: Readonly<Record<string, string>> = { typescript5: "5.9.3", typescript7: "7.0.2" };

const vite = "8.3.8";

/** Module resolution of programs: that of Node, and that of bundlers. */
export const resolutions = [
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
] as const;

/** Creates the program of another team, outside the workspace, with the packed packages installed. */
export function installProgram(packed: readonly Packed[]): void {
  const source = join(program, "src");
  mkdirSync(source, { recursive: true });
  for (const sample of ["programs/five-operations.ts", "routes/chat.ts"])
    cpSync(join(root, "packages/samples", sample), join(source, basename(sample)));
  for (const file of globSync("*.ts", { cwd: join(import.meta.dirname, "programs") })) {
    cpSync(join(import.meta.dirname, "programs", file), join(source, file));
  }
  for (const file of ["calls.ts", "program.ts"])
    cpSync(join(import.meta.dirname, "../faults", file), join(source, "faults", file));
  install(program, {
    name: "program",
    type: "module",
    dependencies: Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${tarball}`])),
    devDependencies: {
      "@types/node": "^24",
      vite,
      ...Object.fromEntries(Object.entries(compilers).map(([name, version]) => [name, `npm:typescript@${version}`])),
    },
    // The tarballs depend on each other by version, and none of them is in a registry yet.
    overrides: Object.fromEntries(packed.map(({ name }) => [name, `$${name}`])),
  });
}

/** Compiles the program into `out`. */
export function compile(compiler: string, resolution: (typeof resolutions)[number]): void {
  const file = `tsconfig.${compiler}.${resolution.moduleResolution}.json`;
  const compilerOptions = { ...resolution, ...strictOptions };
  writeFileSync(join(program, file), JSON.stringify({ compilerOptions, include: ["src"] }, null, 2));
  run(process.execPath, [join(program, "node_modules", compiler, "bin/tsc"), "-p", file], { cwd: program });
}
