import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "./failure.ts";

/** A revision as it was requested, and its commit. */
export interface Revision {
  readonly name: string;
  readonly commit: string;
}

/** The trimmed output of a git command; `undefined` if it fails. @throws {@link Failure} if git is not installed. */
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

/** The names of the main branch, local or in a clone for continuous integration. */
const mainBranches = ["main", "origin/main"];

/**
 * The requested revision, else the main branch; `undefined` if none was requested and there is no main branch.
 *
 * @throws {@link Failure} if the revision does not exist.
 */
export function lookForRevision(root: string, revision: string | undefined): Revision | undefined {
  for (const name of revision === undefined ? mainBranches : [revision]) {
    const commit = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`);
    if (commit !== undefined && commit !== "") return { name, commit };
  }
  return revision === undefined ? undefined : missing(revision);
}

/** @throws {@link Failure} if the revision does not exist. */
export function findRevision(root: string, revision: string | undefined): Revision {
  return lookForRevision(root, revision) ?? missing("main");
}

/** The merge base of the working tree and a revision; the revision itself if the local histories share no commit. */
export function mergeBase(root: string, commit: string): string {
  return git(root, "merge-base", "HEAD", commit) ?? commit;
}

function missing(revision: string): never {
  throw new Failure(
    `The revision "${revision}" does not exist here. Name a branch, a tag or a commit that \`git log\` shows; ` +
      "a clone without history gets it with `git fetch --unshallow --tags`.",
  );
}

/** Writes the documents of a commit to a folder. If the commit has none, the folder stays empty. */
export function extractDocuments(root: string, commit: string, folder: string): void {
  if (git(root, "cat-file", "-e", `${commit}:./openapi`) !== undefined) extract(root, commit, folder, "openapi");
}

/** Writes every file of a commit below a folder of the repository that may belong to a document. */
export function extractFiles(root: string, commit: string, folder: string): void {
  const names = git(root, "ls-tree", "-r", "--name-only", commit)?.split("\n") ?? [];
  const kinds = [".yaml", ".yml", ".json"].filter((kind) => names.some((name) => name.endsWith(kind)));
  extract(root, commit, folder, ...kinds.map((kind) => `*${kind}`));
}

function extract(root: string, commit: string, folder: string, ...paths: readonly string[]): void {
  const archive = join(folder, "documents.tar");
  if (
    git(root, "archive", "--format=tar", `--output=${archive}`, commit, ...paths) === undefined ||
    !existsSync(archive)
  ) {
    throw new Failure(`Git could not read the documents of ${commit.slice(0, 12)}.`);
  }
  execFileSync("tar", ["-xf", "documents.tar"], { cwd: folder });
}
