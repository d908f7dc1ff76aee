import { describe, expect, it } from "vitest";
import { checkAge, checkPlatforms, checkSize, readLockfile } from "./lockfile.ts";

/** A lockfile of a package with these binaries. */
function lockfile(binaries: readonly { name: string; os?: string; cpu?: string; libc?: string }[]): string {
  const packages = binaries.map(
    ({ name, os, cpu, libc }) =>
      `  '${name}@1.0.0':\n    resolution: {integrity: sha512-a}\n${cpu ? `    cpu: [${cpu}]\n` : ""}${os ? `    os: [${os}]\n` : ""}${libc ? `    libc: [${libc}]\n` : ""}`,
  );
  const names = binaries.map(({ name }) => `      '${name}': 1.0.0\n`);
  return `lockfileVersion: '9.0'\n\npackages:\n\n${packages.join("\n")}\n  fast@1.0.0:\n    resolution: {integrity: sha512-b}\n\nsnapshots:\n\n  fast@1.0.0(peer@2.0.0):\n    optionalDependencies:\n${names.join("")}`;
}

const plain = ["linux", "darwin", "win32"].flatMap((os) =>
  ["x64", "arm64"].map((cpu) => ({ name: `@fast/${os}-${cpu}`, os, cpu })),
);
const withLibc = [
  ...plain.filter(({ os }) => os !== "linux"),
  ...["x64", "arm64"].flatMap((cpu) =>
    ["glibc", "musl"].map((libc) => ({ name: `@fast/linux-${cpu}-${libc}`, os: "linux", cpu, libc })),
  ),
];
const faults = (text: string): string[] => [...checkPlatforms(readLockfile(text))];
const expected = (missing: string): string[] => [
  `fast@1.0.0 has no binary for ${missing}. Pin a version of it in pnpm-workspace.yaml that has them all, then run: npx -y pnpm@12 install`,
];

describe("the platforms of a lockfile", () => {
  it("are complete", () => {
    expect(faults(lockfile(plain))).toEqual([]);
    expect(faults(lockfile(withLibc))).toEqual([]);
  });

  it.each([
    ...plain.map((one) => [plain, [one.name], `${one.os} ${one.cpu}`] as const),
    ...["x64", "arm64"].map((cpu) => [withLibc, [`@fast/linux-${cpu}-musl`], `linux ${cpu} with musl`] as const),
    // A registry that has those of Linux alone.
    [plain, plain.slice(2).map(({ name }) => name), "darwin x64, darwin arm64, win32 x64, win32 arm64"] as const,
  ])("lack what is missing: %#", (all, lost, missing) => {
    expect(faults(lockfile(all.filter(({ name }) => !lost.includes(name))))).toEqual(expected(missing));
  });

  it("are checked in other lockfiles, too", () => {
    const file = "packages/release/tools/registry/pnpm-workspace.yaml";
    const [fault] = checkPlatforms(readLockfile(lockfile(plain.slice(1))), file);
    expect(fault).toContain(`in ${file} that has them all`);
    expect(fault).toContain("npx -y pnpm@12 --dir packages/release/tools/registry install");
  });

  it("may share a binary", () => {
    const universal = { name: "@fast/darwin", os: "darwin", cpu: "x64, arm64" };
    expect(faults(lockfile([...plain.filter(({ os }) => os !== "darwin"), universal]))).toEqual([]);
  });

  it("do not matter for a package that is for one system only, or that falls back to another one", () => {
    expect(faults(lockfile([{ name: "fsevents", os: "darwin" }, { name: "debug" }]))).toEqual([]);
  });

  it("are read beside the document that pnpm writes for itself", () => {
    const text = `---\nlockfileVersion: '9.0'\nimporters: {}\n---\n${lockfile(plain.slice(1))}`;
    expect(faults(text)).toEqual(expected("linux x64"));
    expect(() => readLockfile("lockfileVersion: '9.0'\n")).toThrow("pnpm-lock.yaml lists no packages.");
  });
});

it("the size of an installation counts what one platform installs", () => {
  // One package with one of its six binaries.
  expect([...checkSize(readLockfile(lockfile(plain)), 2)]).toEqual([]);
  expect([...checkSize(readLockfile(lockfile(plain)), 1)]).toEqual([
    expect.stringMatching(/^pnpm-lock\.yaml installs 2 packages, and 1 is the most\./),
  ]);
});

it.each([
  ["minimumReleaseAgeStrict: true", "Set: minimumReleaseAge: 1440"],
  ["minimumReleaseAge: 60\nminimumReleaseAgeStrict: true", "Set: minimumReleaseAge: 1440"],
  ["minimumReleaseAge: 2880", "Set: minimumReleaseAgeStrict: true"],
  ["minimumReleaseAge: 1440\nminimumReleaseAgeStrict: true\ntrustLockfile: true", "Remove: trustLockfile"],
  ["minimumReleaseAge: 1440\nminimumReleaseAgeStrict: true\nminimumReleaseAgeExclude: [a@1.2.3, b]", "release of b"],
])("pnpm does not hold the lockfile to the age of releases with %j", (text, fault) => {
  expect([...checkAge(text, "pnpm-workspace.yaml")]).toEqual([expect.stringContaining(fault)]);
});
