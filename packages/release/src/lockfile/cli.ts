/**
 * `pnpm check:lockfile`: checks that the locked packages can be installed on each platform, that there are not too many, and
 * that pnpm holds the lockfile to the age of releases.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../lib/workspace.ts";
import { checkAge, checkPlatforms, checkSize, readLockfile } from "./lockfile.ts";

/** The workspace, and the tools that single commands install outside of it. */
const lockfiles = ["pnpm-lock.yaml", ...globSync("packages/*/tools/*/pnpm-lock.yaml", { cwd: root }).toSorted()];
const read = (file: string): string => readFileSync(join(root, file), "utf8");

const faults = lockfiles.flatMap((file) => {
  const settings = join(dirname(file), "pnpm-workspace.yaml").replaceAll("\\", "/");
  const locked = readLockfile(read(file));
  return [
    ...checkPlatforms(locked, settings),
    ...checkAge(read(settings), settings),
    ...(file === "pnpm-lock.yaml" ? checkSize(locked) : []),
  ];
});
if (faults.length > 0) {
  console.error(`${faults.join("\n")}\n\nThen repeat it with: npx -y pnpm@12 check:lockfile`);
  process.exitCode = 1;
}
