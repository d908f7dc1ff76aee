import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@trainyard/release/run";
import { build } from "esbuild";
import type { Bundle } from "./bundles.ts";
import { programs } from "./programs.ts";

export type Generator = keyof typeof programs;

/** Where each service of the mock answers, and a key for it. */
export interface Target {
  readonly key: string;
  readonly addresses: Readonly<Record<string, string>>;
}

/** Lets another generator make a client of each bundle, into `src/<generator>/`. */
export function generate(
  node: string,
  folder: string,
  generator: Generator,
  bundles: readonly Bundle[],
  target: Target,
): void {
  mkdirSync(join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, `src/${generator}.ts`), programs[generator]);
  if (generator === "orval") return generateByOrval(node, folder, bundles, target);
  for (const { service, file } of bundles) {
    const args = [
      "--input",
      file,
      "--output",
      `src/hey-api/${service}`,
      "--client",
      "@hey-api/client-fetch",
      "--no-log-file",
    ];
    run(node, ["node_modules/@hey-api/openapi-ts/bin/run.js", ...args], { cwd: folder });
  }
}

/**
 * Orval names functions after operationIds without their underscores, and does not look whether two names are the same
 * then: an operation that repeats another at its path with a slash at the end, whose id differs by one underscore, would
 * be declared twice. Ours follow from the path by the rule of the service, so these are left out for Orval, as for our own clients.
 */
function generateByOrval(node: string, folder: string, bundles: readonly Bundle[], { addresses }: Target): void {
  const projects: Record<string, object> = {};
  for (const { service, document } of bundles) {
    const input = `${service}.json`;
    const aliases = (key: string, value: unknown): unknown =>
      typeof value === "object" && value !== null && "x-alias-of" in value ? undefined : value;
    writeFileSync(join(folder, input), JSON.stringify(document, aliases));
    projects[service] = {
      input,
      output: { target: `src/orval/${service}.ts`, client: "fetch", baseUrl: addresses[service] },
    };
  }
  writeFileSync(join(folder, "orval.config.mjs"), `export default ${JSON.stringify(projects, null, 2)};\n`);
  run(node, ["node_modules/orval/dist/bin/orval.mjs", "--config", "orval.config.mjs"], { cwd: folder });
}

/** Compiles all that was made, and the programs that use it, as strictly as most people do. */
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
export async function call(
  node: string,
  folder: string,
  generator: Generator,
  { key, addresses }: Target,
): Promise<void> {
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
    throw new Error(`The program of ${generator} did not come to its end:\n${output}`);
}
