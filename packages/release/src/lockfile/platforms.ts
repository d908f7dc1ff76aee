import { posix } from "node:path";
import type { Locked, Lockfile } from "./lockfile.ts";

/** A kind of machine. */
export interface Platform {
  readonly os: string;
  readonly cpu: string;
  readonly libc?: string;
}

/** Where people work: each package with binaries brings one for each. */
export const platforms: readonly Platform[] = ["linux", "darwin", "win32"].flatMap((os) =>
  ["x64", "arm64"].map((cpu) => ({ os, cpu })),
);

/** Whether a package is installed on a platform. A list that is empty fits all. */
export function fits(binary: Locked, { os, cpu, libc }: Platform): boolean {
  const has = (list: readonly string[], one: string): boolean => list.length === 0 || list.includes(one);
  return has(binary.os, os) && has(binary.cpu, cpu) && (libc === undefined || has(binary.libc, libc));
}

/**
 * What the lockfile lacks for some platform, a sentence each. Where the registry of whoever wrote it did not have a binary,
 * pnpm left it out in silence, and on that platform nothing says so before the package is used.
 *
 * @param file how messages name the settings beside it
 */
export function* checkPlatforms({ packages, optional }: Lockfile, file = "pnpm-workspace.yaml"): Generator<string> {
  const folder = posix.dirname(file);
  const at = folder === "." ? "" : `--dir ${folder} `;
  for (const [parent, names] of optional) {
    // What is for one system alone, such as a watcher of files, has no siblings: it names no processor.
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
