import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { askPublicRegistry } from "./npm.ts";
import { run } from "./run.ts";
import { root } from "./workspace.ts";

/**
 * Folders with a lockfile of their own, outside the workspace: few commands need these tools, and install them at their
 * first use.
 */
export type Tools = keyof typeof folders;

const folders = {
  linters: "packages/release/tools/linters",
  managers: "packages/release/tools/managers",
  registry: "packages/release/tools/registry",
  testing: "packages/release/tools/testing",
  libraries: "packages/proofs/tools/libraries",
  generators: "packages/proofs/tools/generators",
  documents: "packages/proofs/tools/documents",
};

/**
 * Installs tools as their lockfile says, and reports the installation if they are missing.
 * @returns their folder
 * @throws `Unavailable` if they are not installed and the registry that npm is configured for does not respond
 */
export function installTools(tools: Tools): string {
  const folder = join(root, folders[tools]);
  const locked = readFileSync(join(folder, "pnpm-lock.yaml"), "utf8");
  // The tools that pnpm has installed there.
  const installed = join(folder, "node_modules/.pnpm/lock.yaml");
  if (existsSync(installed) && readFileSync(installed, "utf8") === locked) return folder;
  const manifest: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  const names = Object.keys(manifest.dependencies).join(" and ");
  console.log(`Installing ${names} into ${relative(root, folder)}, which is kept for the next run.`);
  try {
    run("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], { cwd: folder });
  } catch (error) {
    askPublicRegistry(folder);
    throw error;
  }
  return folder;
}
