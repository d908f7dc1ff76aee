import type { Workflow } from "./workflow.ts";

/** What rules need to know of the repository. */
export interface Repository {
  /** The scripts of the root's `package.json`, and their parts, if they have any: `test`, `test packages`. */
  readonly scripts: ReadonlySet<string>;
  /** Whether a file or folder exists. */
  has(path: string): boolean;
  /** Whether a glob matches an existing file. */
  fits(pattern: string): boolean;
}

/** A finding of a rule: the faulty part, and a sentence that names the fix. */
export interface Finding {
  readonly part: unknown;
  readonly message: string;
}

/** A rule for every workflow. */
export interface Rule {
  readonly name: string;
  check(workflow: Workflow, repository: Repository): Iterable<Finding>;
}
