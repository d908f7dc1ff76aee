import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@trainyard/release/workspace";

const core = join(root, "packages/core/src");

/** Makes a folder a program for the compiler, with the sources of the engine. @param what its `files` or `include` */
export function configure(folder: string, what: object): void {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "es2023",
    lib: ["es2023", "dom", "dom.iterable", "esnext.disposable"],
    types: [],
    module: "nodenext",
    allowImportingTsExtensions: true,
    paths: {
      "@trainyard/core": [join(core, "index.ts")],
      "@trainyard/core/http": [join(core, "http.ts")],
      "@trainyard/core/*": [join(core, "*/index.ts")],
    },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, ...what }));
}

/** The errors of the compiler in the program of a folder, a line each. */
export function errorsIn(folder: string): string[] {
  const tsc = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
  const { stdout, status } = spawnSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  const lines = stdout.split("\n").filter((line) => /^\S.*: error TS/.test(line));
  const isEmpty = stdout.includes("TS18003");
  if (status !== 0 && lines.length === 0 && !isEmpty) throw new Error(`The compiler failed:\n${stdout}`);
  return lines;
}

/** The errors of the compiler in the clients of a folder, by the name of their document. One program has them all. */
export function compileClients(folder: string): Map<string, string[]> {
  configure(folder, { include: ["**/*.ts"] });
  const byClient = new Map<string, string[]>();
  for (const line of errorsIn(folder)) {
    const [name = ""] = line.split("/");
    byClient.set(name, [...(byClient.get(name) ?? []), line]);
  }
  return byClient;
}
