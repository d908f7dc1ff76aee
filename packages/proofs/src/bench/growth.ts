import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@trainyard/release/run";
import { outcome } from "./program.ts";
import { atMost, type Findings, type Row } from "./report.ts";
import { synthetic } from "./synthetic.ts";

const small = 50;
const large = 500;
const times = large / small;
const bar = 1.2 * times;
const rounds = 2;

const things: readonly (readonly [name: string, what: string])[] = [
  ["generate", "generate"],
  ["lint", "check contract"],
  ["check", "contract check of an edit that all operations see"],
];

const core = join(import.meta.dirname, "../../../core/src");
const compiler = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");

/** Runs a function with a temporary synthetic repository. */
function within<Result>(count: number, use: (folder: string) => Result): Result {
  const folder = synthetic(count);
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function milliseconds(name: string, folder: string): number {
  return (outcome("growth", name, folder) as { readonly milliseconds: number }).milliseconds;
}

interface Types {
  readonly instantiations: number;
  readonly milliseconds: number;
}

/** The compiler's work on a program that makes one call with a client of this many operations. */
function types(count: number): Types {
  return within(count, (folder) => {
    milliseconds("generate", folder);
    const text = `import { createTrainingClient } from "./packages/training/src/generated/client.ts";
export const { id } = await createTrainingClient().models1.create({ project: "a", name: "b", base_model: "c" });
`;
    writeFileSync(join(folder, "program.ts"), text);
    const paths = { "@trainyard/core": [join(core, "index.ts")], "@trainyard/core/*": [join(core, "*/index.ts")] };
    const compilerOptions = {
      noEmit: true,
      strict: true,
      types: [],
      target: "es2023",
      lib: ["es2023", "dom", "dom.iterable", "esnext.disposable"],
      module: "nodenext",
      allowImportingTsExtensions: true,
      paths,
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const args = [compiler, "-p", folder, "--singleThreaded", "--extendedDiagnostics"];
    const output = run(process.execPath, args, { cwd: folder });
    const value = (name: string): number => Number(new RegExp(`^${name}: +([\\d.]+)`, "m").exec(output)?.[1]);
    return { instantiations: value("Instantiations"), milliseconds: value("Total time") * 1000 };
  });
}

/** The fastest of several runs, because other work on the machine only adds time. */
function fastest(measure: () => number): number {
  return Math.min(...Array.from({ length: rounds }, measure));
}

function rowOf(what: string, [before, after]: readonly [number, number], format: (value: number) => string): Row {
  return {
    what,
    measured: `× ${(after / before).toFixed(1)} (${format(before)} to ${format(after)})`,
    ...atMost(after / before, bar, `× ${bar} (linear: ${times})`),
  };
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

/** Whether the time of common tasks grows faster than the document. */
export function growth(): Findings {
  const pair = (name: string): [number, number] => {
    const measure = (count: number): number => fastest(() => within(count, (folder) => milliseconds(name, folder)));
    return [measure(small), measure(large)];
  };
  const [few, many] = [types(small), types(large)];
  return {
    how: `From ${small} operations and ${2 * small} schemas to ${large} operations and ${(2 * large).toLocaleString("en")} schemas, which a script writes: Create Model of the training service again and again, with schemas of its own each time. Processes of their own; the faster of ${rounds} rounds. \`pnpm bench --only growth\` measures this alone.`,
    rows: [
      ...things.map(([name, what]) => rowOf(what, pair(name), seconds)),
      rowOf("tsc of a program with the client", [few.milliseconds, many.milliseconds], seconds),
      rowOf("instantiations of types in it", [few.instantiations, many.instantiations], String),
    ],
  };
}
