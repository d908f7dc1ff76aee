import { cpSync, globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../src/lib/run.ts";
import { readManifest, root } from "../../src/lib/workspace.ts";
import { install, pastProxies, strictOptions, withMock } from "../program.ts";

/** TypeScript's compiler, as this workspace has it. */
const tsc: string = join(root, "node_modules/typescript/bin/tsc");

const program = { module: "nodenext", types: [], skipLibCheck: true, rootDir: "." };

/** Copies the sample consumer out of a workspace, as the program of another team. */
export function copyConsumer(workspace: string, folder: string): void {
  cpSync(join(workspace, "packages/samples/consumer"), folder, { recursive: true });
  const config = { compilerOptions: { ...strictOptions, ...program, outDir: "out" }, include: ["src", "run.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
}

const manifest = { private: true, name: "consumer", type: "module" };

/** Adds the packages to the program, by range. */
export function installConsumer(folder: string, dependencies: Record<string, string>, registry: string): void {
  install(folder, { ...manifest, dependencies }, registry);
}

/** Updates to the newest versions within the ranges, as a team does that keeps its dependencies current. */
export function upgradeConsumer(folder: string, dependencies: Record<string, string>): void {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, dependencies }, null, 2));
  run("npm", ["update", "--no-audit", "--no-fund", "--loglevel=error", "--prefer-online"], {
    cwd: folder,
    env: pastProxies(),
  });
}

/**
 * Compiles the program.
 * @throws Error with file, line and reason of each fault
 */
export function compileConsumer(folder: string): void {
  try {
    run(process.execPath, [tsc, "--pretty", "false"], { cwd: folder });
  } catch (cause) {
    // The compiler's own lines are enough, without its command line.
    const [, ...lines] = cause instanceof Error ? cause.message.trimEnd().split("\n") : [];
    throw new Error(lines.join("\n") || String(cause), { cause });
  }
}

/** Runs the program against the mock that is installed with it. */
export async function runConsumer(folder: string): Promise<void> {
  const printed = await withMock(folder, ({ env }) => run(process.execPath, ["out/run.js"], { cwd: folder, env }));
  if (printed.trim() === "") throw new Error("run.ts ended without having printed anything.");
}

/** The versions that are installed, by name. */
export function installedVersions(folder: string): Map<string, string> {
  return new Map(
    globSync("{trainyard,@trainyard/*}/package.json", { cwd: join(folder, "node_modules") }).map((file) => {
      const manifest = readManifest(join(folder, "node_modules", file));
      return [manifest.name, manifest.version];
    }),
  );
}
