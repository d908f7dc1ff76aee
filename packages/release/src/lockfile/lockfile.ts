import { posix } from "node:path";
import { parse } from "yaml";

/** A package of a lockfile, with its platforms. An absent list is every platform. */
interface Locked {
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** The part of `pnpm-lock.yaml` that is read here. The keys are `name@version`, of snapshots with their peers. */
export interface Lockfile {
  readonly packages: Readonly<Record<string, Locked>>;
  readonly snapshots: Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>;
}

/** Reads `pnpm-lock.yaml`, without the separate document for pnpm itself. */
export function readLockfile(text: string): Lockfile {
  const documents = text.split(/^---\n/m).map((part): Lockfile | null => parse(part));
  const root = documents.find((document) => document?.packages);
  if (!root) throw new Error("pnpm-lock.yaml lists no packages.");
  return root;
}

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

function fits(binary: Locked, { os, cpu, libc }: Platform): boolean {
  const has = (list: readonly string[] | undefined, one: string): boolean => list?.includes(one) ?? true;
  return has(binary.os, os) && has(binary.cpu, cpu) && (libc === undefined || has(binary.libc, libc));
}

/**
 * The binaries that the lockfile lacks for some platform, one sentence each. If a binary is missing from a registry,
 * pnpm leaves it out silently, and the platform fails only when the package is used.
 *
 * @param file the name of the settings file in messages
 */
export function* checkPlatforms({ packages, snapshots }: Lockfile, file = "pnpm-workspace.yaml"): Generator<string> {
  const folder = posix.dirname(file);
  const at = folder === "." ? "" : `--dir ${folder} `;
  for (const [parent, { optionalDependencies = {} }] of Object.entries(snapshots)) {
    // A package for a single system, such as a file watcher, names no processor and has no siblings.
    const family = Object.entries(packages).flatMap(([key, one]) =>
      one.os && one.cpu && Object.hasOwn(optionalDependencies, key.slice(0, key.lastIndexOf("@"))) ? [one] : [],
    );
    if (family.length === 0) continue;
    const libcs = family.some(({ libc }) => libc?.includes("musl")) ? ["glibc", "musl"] : ["glibc"];
    const missing = platforms
      .flatMap((platform) => (platform.os === "linux" ? libcs.map((libc) => ({ ...platform, libc })) : [platform]))
      .filter((platform) => !family.some((binary) => fits(binary, platform)))
      .map(({ os, cpu, libc }) => `${os} ${cpu}${libc === "musl" ? " with musl" : ""}`);
    if (missing.length === 0) continue;
    const name = parent.replace(/\(.*$/, "");
    yield `${name} has no binary for ${missing.join(", ")}. Pin a version of it in ${file} that has them all, then run: npx -y pnpm@12 ${at}install`;
  }
}

/** The settings by which pnpm refuses a lockfile that names a young release. */
interface Ages {
  readonly minimumReleaseAge?: number;
  readonly minimumReleaseAgeStrict?: boolean;
  readonly trustLockfile?: boolean;
  readonly minimumReleaseAgeExclude?: readonly string[];
}

/** The faults of these settings, one sentence each. Most malicious releases are removed within a day. */
export function* checkAge(text: string, file: string): Generator<string> {
  const ages: Ages = parse(text);
  if (!((ages.minimumReleaseAge ?? 0) >= 1440)) yield `${file} takes young releases. Set: minimumReleaseAge: 1440`;
  if (!ages.minimumReleaseAgeStrict) yield `${file} takes young releases. Set: minimumReleaseAgeStrict: true`;
  if (ages.trustLockfile) yield `${file} does not look at the ages in the lockfile. Remove: trustLockfile`;
  for (const name of ages.minimumReleaseAgeExclude ?? [])
    if (!/@\d/.test(name)) yield `${file} takes every young release of ${name}. Name the version: ${name}@1.2.3`;
}

/** A sentence if the workspace installs more packages than allowed, on the platform with the most. */
export function* checkSize({ packages }: Lockfile, limit = most): Generator<string> {
  const count = Math.max(
    ...platforms.map(
      (platform) => Object.values(packages).filter((locked) => fits(locked, { libc: "glibc", ...platform })).length,
    ),
  );
  if (count > limit)
    yield `pnpm-lock.yaml installs ${count} packages, and ${limit} is the most. \`npx -y pnpm@12 why <name>\` tells who brings one. What a single command needs is installed by that command (CONTRIBUTING.md, Dependencies).`;
}
