/** `pnpm check:lockfile`: what is locked can be installed on each platform, and nothing in it is young. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/workspace.ts";
import { checkAge } from "./age.ts";
import { readLockfile } from "./lockfile.ts";
import { checkPlatforms } from "./platforms.ts";

const faults = [
  ...checkPlatforms(readLockfile(readFileSync(join(root, "pnpm-lock.yaml"), "utf8"))),
  ...checkAge(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")),
];
if (faults.length > 0) {
  console.error(`${faults.join("\n")}\n\nThen repeat it with: npx -y pnpm@12 check:lockfile`);
  process.exitCode = 1;
}
