import { git, lookForRevision, mergeBase } from "@trainyard/contract";

/** The commit that a branch is compared with. */
export interface Base {
  /** The name as it was requested, or found. */
  readonly name: string;
  /** The merge base with this branch, or its tip if a shallow clone does not know the merge base. */
  readonly commit: string;
  /** How another command finds the same commit: by name, if it is the tip. */
  readonly revision: string;
}

/**
 * Finds the commit to compare the working tree with: the requested revision, else the main branch, local or at the
 * origin. Undefined if no revision was requested and there is no main branch, as in a shallow clone of another branch.
 *
 * @throws `Failure` if the revision does not exist
 */
export function findBase(root: string, revision?: string): Base | undefined {
  const found = lookForRevision(root, revision);
  if (found === undefined) return undefined;
  const { name, commit: tip } = found;
  const commit = mergeBase(root, tip);
  return { name, commit, revision: commit === tip ? name : commit };
}

/** The name of a base for people: `main (6e92d0f)`. */
export function baseName({ name, commit }: Pick<Base, "name" | "commit">): string {
  return commit.startsWith(name) ? commit.slice(0, 7) : `${name} (${commit.slice(0, 7)})`;
}

/** The files below a folder that differ from a commit, or only those that the commit does not have. */
export function changedSince(root: string, commit: string, folder: string, which: "changed" | "new"): string[] {
  const filter = `--diff-filter=${which === "new" ? "A" : "d"}`;
  const tracked = git(root, "diff", "--name-only", "--relative", "--no-renames", filter, commit, "--", folder) ?? "";
  const untracked = git(root, "ls-files", "--others", "--exclude-standard", "--", folder) ?? "";
  return [...tracked.split("\n"), ...untracked.split("\n")].filter((file) => file !== "");
}
