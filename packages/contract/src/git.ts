import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "./failure.ts";

/** A revision as it was asked for, and the commit that it stands for. */
export interface Revision {
  readonly name: string;
  readonly commit: string;
}

/** What a git command prints, without the white space around it; `undefined` where it fails. @throws {@link Failure} where there is no git. */
export function git(root: string, ...args: readonly string[]): string | undefined {
  try {
    return execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 1 << 28,
    }).trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      throw new Failure("Git was not found. Install it: the older documents are read from the repository's history.");
    }
    return undefined;
  }
}

/** The main branch has one of these names, here or in a clone for continuous integration. */
const mainBranches = ["main", "origin/main"];

/**
 * The revision that was asked for, else the main branch; `undefined` where nothing was asked for and there is none.
 *
 * @throws {@link Failure} where there is no such revision.
 */
export function lookForRevision(root: string, asked: string | undefined): Revision | undefined {
  for (const name of asked === undefined ? mainBranches : [asked]) {
    const commit = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`);
    if (commit !== undefined && commit !== "") return { name, commit };
  }
  if (asked === undefined) return undefined;
  throw missing(asked);
}

/** @throws {@link Failure} where there is no such revision. */
export function findRevision(root: string, asked: string | undefined): Revision {
  const found = lookForRevision(root, asked);
  if (found === undefined) throw missing("main");
  return found;
}

/** Where the working tree left a revision; the revision itself where the histories share nothing that is here. */
export function mergeBase(root: string, commit: string): string {
  return git(root, "merge-base", "HEAD", commit) ?? commit;
}

function missing(revision: string): Failure {
  return new Failure(
    `There is no revision "${revision}" here. Name a branch, a tag or a commit that \`git log\` shows; ` +
      "a clone without history gets it with `git fetch --unshallow --tags`.",
  );
}

/** Writes the documents of a commit into a folder. A commit without any leaves it empty. */
export function extractDocuments(root: string, commit: string, folder: string): void {
  const top = git(root, "rev-parse", "--show-prefix") ?? "";
  if (git(root, "cat-file", "-e", `${commit}:${top}openapi`) === undefined) return;
  const archive = join(folder, "documents.tar");
  if (
    git(root, "archive", "--format=tar", `--output=${archive}`, commit, "openapi") === undefined ||
    !existsSync(archive)
  ) {
    throw new Failure(`Git could not read the documents of ${commit.slice(0, 12)}.`);
  }
  execFileSync("tar", ["-xf", "documents.tar"], { cwd: folder });
}
