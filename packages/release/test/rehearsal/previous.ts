import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../src/lib/run.ts";
import { published, root } from "../../src/lib/workspace.ts";
import { build, pack, type Packed } from "../../src/pack/pack.ts";

/** The newest release before this commit, by its tag. `undefined` if there has been none. */
export function lastTag(): string | undefined {
  try {
    return run("git", ["describe", "--tags", "--abbrev=0", "--match=@trainyard/*@*"], { cwd: root }).trim();
  } catch {
    return undefined;
  }
}

/** Builds and packs the packages of a tag, outside the workspace. @param folder an empty folder */
export function packTag(tag: string, folder: string): Packed[] {
  const source = sourceOf(folder);
  mkdirSync(source, { recursive: true });
  run("git", ["archive", "--format=tar", "--output", join(folder, "source.tar"), tag], { cwd: root });
  run("tar", ["-xf", "../source.tar"], { cwd: source });
  // Only the files that a build needs, which is half. Install scripts would add the rest.
  const settings = join(source, "pnpm-workspace.yaml");
  writeFileSync(
    settings,
    readFileSync(settings, "utf8").replace(/^verifyDepsBeforeRun:.*$/m, "verifyDepsBeforeRun: false"),
  );
  const names = ["@trainyard/codegen", ...published(source).map(({ manifest }) => manifest.name)];
  const filters = ["{.}", ...names.map((name) => `${name}...`)].flatMap((filter) => ["--filter", filter]);
  run("pnpm", ["install", "--frozen-lockfile", "--prefer-offline", ...filters], { cwd: source });
  build(source);
  return pack(join(folder, "tarballs"), source);
}

/** Where {@link packTag} lays the files of the tag. */
export function sourceOf(folder: string): string {
  return join(folder, "source");
}
