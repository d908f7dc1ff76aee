/** A program of another team, which installs the packages: how tests make one, compile it, and serve what it has installed. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run, started } from "../src/lib/run.ts";

/**
 * Creates a folder with a manifest, and installs its dependencies.
 * @param registry of `@trainyard` only; other packages come from the one that npm is configured for
 */
export function install(folder: string, manifest: object, registry?: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ private: true, ...manifest }, null, 2)}\n`);
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", "--foreground-scripts"];
  if (registry !== undefined) {
    writeFileSync(join(folder, ".npmrc"), `@trainyard:registry=${registry}\n`);
    // An earlier run may have used the port for another registry, whose responses npm has cached.
    args.push("--prefer-online");
  }
  run("npm", args, { cwd: folder, env: pastProxies() });
}

/** Excludes requests to this machine from a proxy. */
export function pastProxies(): Record<string, string> {
  const { NO_PROXY: upper, no_proxy: lower } = process.env;
  return { NO_PROXY: [upper ?? lower, "127.0.0.1", "localhost"].filter(Boolean).join(",") };
}

/** The strictest compiler options of a program by another team, which also check the packages' own declarations. */
export const strictOptions = {
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  rewriteRelativeImportExtensions: true,
  skipLibCheck: false,
  rootDir: "src",
  outDir: "out",
} as const;

/** Services of an installed package, in a process of their own. */
export interface RunningServices {
  /** Of all three. */
  readonly url: string;
  /** The environment variables with the addresses and the key. */
  readonly env: Record<string, string>;
}

type Work<Result> = (services: RunningServices) => Result | Promise<Result>;

/** Of the environment that programs get. */
export const key = "a-key-for-this-run";

/**
 * Serves the mock that a program has installed, while `work` runs. @param program the folder of the program
 * @param node what runs the mock; this process's Node where absent
 */
export async function withMock<Result>(program: string, work: Work<Result>, node?: string): Promise<Result> {
  return withServices(program, ["mock", "--port", "0"], work, node);
}

/** Serves what a program has installed, while `work` runs. @param args of `trainyard` */
export async function withServices<Result>(
  program: string,
  args: readonly string[],
  work: Work<Result>,
  node: string = process.execPath,
): Promise<Result> {
  const command = ["node_modules/trainyard/dist/cli.js", ...args];
  const { child, match } = await started(node, command, { cwd: program }, /http:\/\/127\.0\.0\.1:\d+/);
  const [url] = match;
  try {
    return await work({
      url,
      env: {
        TRAINYARD_API_KEY: key,
        TRAINYARD_TRAINING_URL: url,
        TRAINYARD_INFERENCE_URL: `${url}/inference/v1`,
        TRAINYARD_AUXILIARY_URL: `${url}/auxiliary`,
      },
    });
  } finally {
    child.kill();
  }
}
