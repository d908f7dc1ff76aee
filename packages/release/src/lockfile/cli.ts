/**
 * `pnpm check lockfile`: checks that the locked packages can be installed on each platform, that there are not too many, and
 * that pnpm holds the lockfile to the age of releases.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../lib/workspace.ts";
import { checkPlatforms, checkSize, readLockfile } from "./lockfile.ts";

/** The workspace, and the tools that single commands install outside of it. */
const lockfiles = ["pnpm-lock.yaml", ...globSync("packages/*/tools/*/pnpm-lock.yaml", { cwd: root }).toSorted()];
const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** Most malicious releases are removed within a day. With these settings pnpm refuses a lockfile that names a younger one. */
const ages = ["minimumReleaseAge: 1440", "minimumReleaseAgeStrict: true"];

const faults = lockfiles.flatMap((file) => {
  const settings = join(dirname(file), "pnpm-workspace.yaml").replaceAll("\\", "/");
  const lines = read(settings).split("\n");
  const locked = readLockfile(read(file));
  return [
    ...checkPlatforms(locked, settings),
    ...ages.filter((line) => !lines.includes(line)).map((line) => `${settings} takes young releases. Set: ${line}`),
    ...(file === "pnpm-lock.yaml" ? checkSize(locked) : []),
  ];
});
if (faults.length > 0) {
  console.error(`${faults.join("\n")}\n\nThen repeat it with: npx -y pnpm@12 check lockfile`);
  process.exitCode = 1;
}
