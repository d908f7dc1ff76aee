import { git, lookForRevision, mergeBase } from "@trainyard/contract";

/** What a branch is compared with. */
export interface Base {
  /** As it was asked for, or found. */
  readonly name: string;
  /** Where this branch left it, or its tip where a shallow clone does not know. */
  readonly commit: string;
  /** How another command finds the same commit: by name, where it is its tip. */
  readonly revision: string;
}

/**
 * Finds what the working tree is compared with: the revision that was asked for, else the main branch, here or at the
 * origin. Undefined where nothing was asked for and there is no main branch, as in a shallow clone of another one.
 *
 * @throws `Failure` where there is no such revision.
 */
export function findBase(root: string, asked?: string): Base | undefined {
  const found = lookForRevision(root, asked);
  if (found === undefined) return undefined;
  const { name, commit: tip } = found;
  const commit = mergeBase(root, tip);
  return { name, commit, revision: commit === tip ? name : commit };
}

/** How a base is named to people: `main (6e92d0f)`. */
export function baseName({ name, commit }: Pick<Base, "name" | "commit">): string {
  return commit.startsWith(name) ? commit.slice(0, 7) : `${name} (${commit.slice(0, 7)})`;
}

/** The files below a folder that a commit does not have, or, unless only new ones are asked for, has otherwise. */
export function changedSince(root: string, commit: string, folder: string, which: "changed" | "new"): string[] {
  const filter = `--diff-filter=${which === "new" ? "A" : "d"}`;
  const tracked = git(root, "diff", "--name-only", "--relative", "--no-renames", filter, commit, "--", folder) ?? "";
  const untracked = git(root, "ls-files", "--others", "--exclude-standard", "--", folder) ?? "";
  return [...tracked.split("\n"), ...untracked.split("\n")].filter((file) => file !== "");
}
