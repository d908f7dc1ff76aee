import { cpSync, globSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { install, pastProxies } from "../../src/lib/npm.ts";
import { run } from "../../src/lib/run.ts";
import { withMock } from "../../src/lib/services.ts";
import { readManifest, root } from "../../src/lib/workspace.ts";
import { strictOptions } from "../../src/pack/pack.ts";

/** Programs of other teams, in one folder outside the workspace. The name of each is the name of its folder. */
export type Consumers = ReturnType<typeof copyConsumers>;

/** TypeScript's compiler, as this workspace has it. */
const tsc: string = join(root, "node_modules/typescript/bin/tsc");

const program = { module: "nodenext", types: [], skipLibCheck: true, rootDir: "." };

/** Copies sample consumers out of the workspace. @param from the folder that contains them */
export function copyConsumers(from: string, folder: string) {
  const names = readdirSync(from).toSorted();
  for (const name of names) {
    cpSync(join(from, name), join(folder, name), { recursive: true });
    const config = {
      compilerOptions: { ...strictOptions, ...program, outDir: `../out/${name}` },
      include: ["src", "run.ts"],
    };
    writeFileSync(join(folder, name, "tsconfig.json"), JSON.stringify(config));
  }
  return { folder, names };
}

/** The folder of a workspace's sample consumers. */
export function sampleConsumers(workspace: string = root): string {
  return join(workspace, "packages/samples/consumers");
}

const manifest = { private: true, name: "consumers", type: "module" };

/** Adds the packages to the programs, by range. */
export function installConsumers({ folder }: Consumers, dependencies: Record<string, string>, registry: string): void {
  install(folder, { ...manifest, dependencies }, registry);
}

/** Updates to the newest versions within the ranges, as a team does that keeps its dependencies current. */
export function upgradeConsumers({ folder }: Consumers, dependencies: Record<string, string>): void {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, dependencies }, null, 2));
  run("npm", ["update", "--no-audit", "--no-fund", "--loglevel=error", "--prefer-online"], {
    cwd: folder,
    env: pastProxies(),
  });
}

/**
 * Compiles one of them.
 * @throws Error with file, line and reason of each fault
 */
export function compileConsumer({ folder }: Consumers, name: string): void {
  try {
    run(process.execPath, [tsc, "-p", join(name, "tsconfig.json"), "--pretty", "false"], { cwd: folder });
  } catch (cause) {
    // The compiler's own lines are enough, without its command line.
    const [, ...lines] = cause instanceof Error ? cause.message.trimEnd().split("\n") : [];
    throw new Error(lines.join("\n") || String(cause), { cause });
  }
}

/** Runs each against the mock that is installed with them. @returns the output of each */
export async function runConsumers({ folder, names }: Consumers): Promise<string> {
  return withMock(folder, ({ env }) =>
    names
      .map((name) => {
        const printed = run(process.execPath, [join("out", name, "run.js")], { cwd: folder, env });
        if (printed.trim() === "") throw new Error(`${name}/run.ts ended without having printed anything.`);
        return `${name}: ${printed}`;
      })
      .join(""),
  );
}

/** The versions that are installed, by name. */
export function installedVersions({ folder }: Consumers): Map<string, string> {
  return new Map(
    globSync("{trainyard,@trainyard/*}/package.json", { cwd: join(folder, "node_modules") }).map((file) => {
      const manifest = readManifest(join(folder, "node_modules", file));
      return [manifest.name, manifest.version];
    }),
  );
}
