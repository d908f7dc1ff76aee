import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@trainyard/release/run";
import { build } from "esbuild";
import type { Bundle } from "./bundles.ts";
import { programs } from "./programs.ts";

/** Generators of clients that are called. */
export const callers = ["hey-api", "orval"] as const;
/** Generators of clients or types. */
export const generators = [...callers, "openapi-typescript", "typed-openapi"] as const;

type Caller = (typeof callers)[number];
type Generator = (typeof generators)[number];

/** The address of each service of the mock, and a key for it. */
export interface Target {
  readonly key: string;
  readonly addresses: Readonly<Record<string, string>>;
}

/** Runs a generator on each bundle, with output in `src/<generator>/`. */
export function generate(
  node: string,
  folder: string,
  generator: Generator,
  bundles: readonly Bundle[],
  target: Target,
): void {
  mkdirSync(join(folder, "src", generator), { recursive: true });
  if (generator === "hey-api" || generator === "orval") {
    writeFileSync(join(folder, `src/${generator}.ts`), programs[generator]);
  }
  if (generator === "orval") return generateByOrval(node, folder, bundles, target);
  for (const { service, file } of bundles) run(node, commandOf(generator, service, file), { cwd: folder });
}

function commandOf(generator: Exclude<Generator, "orval">, service: string, file: string): string[] {
  const output = `src/${generator}/${service}`;
  const hey = ["--input", file, "--client", "@hey-api/client-fetch", "--no-log-file"];
  const commands: Record<typeof generator, [string, ...string[]]> = {
    "hey-api": ["@hey-api/openapi-ts/bin/run.js", ...hey, "--output", output],
    "openapi-typescript": ["openapi-typescript/bin/cli.js", file, "--output", `${output}.ts`],
    "typed-openapi": ["typed-openapi/bin.js", file, "--output", `${output}.ts`],
  };
  const [program, ...args] = commands[generator];
  return [`node_modules/${program}`, ...args];
}

function generateByOrval(node: string, folder: string, bundles: readonly Bundle[], { addresses }: Target): void {
  const projects = bundles.map(({ service, file }) => {
    const output = { target: `src/orval/${service}.ts`, client: "fetch", baseUrl: addresses[service] };
    return [service, { input: file, output }];
  });
  const config = JSON.stringify(Object.fromEntries(projects), null, 2);
  writeFileSync(join(folder, "orval.config.mjs"), `export default ${config};\n`);
  run(node, ["node_modules/orval/dist/bin/orval.mjs", "--config", "orval.config.mjs"], { cwd: folder });
}

/** Compiles everything that was generated, and the programs that use it, under `strict`. */
export function compile(node: string, folder: string): void {
  const compilerOptions = {
    target: "es2023",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2023", "dom", "dom.iterable"],
    types: ["node"],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }, null, 2));
  run(node, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"], { cwd: folder });
}

/** Runs the program of a generator against the mock. */
export async function call(node: string, folder: string, generator: Caller, { key, addresses }: Target): Promise<void> {
  const outfile = join(folder, `out/${generator}.mjs`);
  await build({
    entryPoints: [join(folder, `src/${generator}.ts`)],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
    logLevel: "error",
  });
  const env = { KEY: key, ADDRESSES: JSON.stringify(addresses) };
  const output = run(node, [outfile], { cwd: folder, env });
  if (!output.includes("All calls are answered."))
    throw new Error(`The program of ${generator} did not finish:\n${output}`);
}
