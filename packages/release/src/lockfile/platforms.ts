import { posix } from "node:path";
import type { Locked, Lockfile } from "./lockfile.ts";

/** A kind of machine. */
interface Platform {
  readonly os: string;
  readonly cpu: string;
  readonly libc?: string;
}

/** The platforms of developers: a package with binaries must have one for each. */
const platforms: readonly Platform[] = ["linux", "darwin", "win32"].flatMap((os) =>
  ["x64", "arm64"].map((cpu) => ({ os, cpu })),
);

/** Packages. Everyone who clones the repository installs all of them before the first test runs. */
const most = 600;

/** Whether a package is installed on a platform. An empty list matches all. */
function fits(binary: Locked, { os, cpu, libc }: Platform): boolean {
  const has = (list: readonly string[], one: string): boolean => list.length === 0 || list.includes(one);
  return has(binary.os, os) && has(binary.cpu, cpu) && (libc === undefined || has(binary.libc, libc));
}

/**
 * The binaries that the lockfile lacks for some platform, one sentence each. If a binary is missing from a registry,
 * pnpm leaves it out silently, and the platform fails only when the package is used.
 *
 * @param file the name of the settings file in messages
 */
export function* checkPlatforms({ packages, optional }: Lockfile, file = "pnpm-workspace.yaml"): Generator<string> {
  const folder = posix.dirname(file);
  const at = folder === "." ? "" : `--dir ${folder} `;
  for (const [parent, names] of optional) {
    // A package for a single system, such as a file watcher, names no processor and has no siblings.
    const family = packages.filter(({ name, os, cpu }) => names.includes(name) && os.length > 0 && cpu.length > 0);
    if (family.length === 0) continue;
    const libcs = family.some(({ libc }) => libc.includes("musl")) ? ["glibc", "musl"] : ["glibc"];
    const missing = platforms
      .flatMap((platform) => (platform.os === "linux" ? libcs.map((libc) => ({ ...platform, libc })) : [platform]))
      .filter((platform) => !family.some((binary) => fits(binary, platform)))
      .map(({ os, cpu, libc }) => `${os} ${cpu}${libc === "musl" ? " with musl" : ""}`);
    if (missing.length === 0) continue;
    const name = parent.replace(/\(.*$/, "");
    yield `${name} has no binary for ${missing.join(", ")}. Pin a version of it in ${file} that has them all, then run: npx -y pnpm@12 ${at}install`;
  }
}

/** A sentence if the workspace installs more packages than allowed, on the platform with the most. */
export function* checkSize({ packages }: Lockfile, limit = most): Generator<string> {
  const count = Math.max(
    ...platforms.map((platform) => packages.filter((locked) => fits(locked, { libc: "glibc", ...platform })).length),
  );
  if (count > limit)
    yield `pnpm-lock.yaml installs ${count} packages, and ${limit} is the most. \`npx -y pnpm@12 why <name>\` tells who brings one. What a single command needs is installed by that command (CONTRIBUTING.md, Dependencies).`;
}
