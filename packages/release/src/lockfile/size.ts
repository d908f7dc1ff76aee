import type { Lockfile } from "./lockfile.ts";
import { fits, type Platform, platforms } from "./platforms.ts";

/** Packages. Everyone who clones the repository installs all of them before the first test runs. */
const most = 600;

/** A sentence if the workspace installs more packages than allowed, on the platform with the most. */
export function* checkSize(lockfile: Lockfile, limit = most): Generator<string> {
  const count = Math.max(...platforms.map((platform) => installed(lockfile, platform)));
  if (count > limit)
    yield `pnpm-lock.yaml installs ${count} packages, and ${limit} is the most. \`npx -y pnpm@12 why <name>\` tells who brings one. What a single command needs is installed by that command (CONTRIBUTING.md, Dependencies).`;
}

/** How many packages a platform installs: without the binaries of others, and without their dependencies. */
function installed({ packages, roots, needs }: Lockfile, platform: Platform): number {
  const skipped = new Set(
    packages
      .filter((locked) => !fits(locked, { libc: "glibc", ...platform }))
      .map(({ name, version }) => `${name}@${version}`),
  );
  const found = new Set(roots);
  for (const key of found)
    for (const next of needs.get(key) ?? []) if (!skipped.has(next.replace(/\(.*$/, ""))) found.add(next);
  return found.size;
}
