import type { Workflow } from "./workflow.ts";

/** What rules ask of the repository. */
export interface Repository {
  /** The scripts of the root's `package.json`, and the parts of those that have some: `test`, `test packages`. */
  readonly scripts: ReadonlySet<string>;
  /** Whether a file or folder is there. */
  has(path: string): boolean;
  /** Whether a pattern of paths fits a file that is there. */
  fits(pattern: string): boolean;
}

/** What a rule finds: the part that is wrong, and a sentence that names the cure. */
export interface Finding {
  readonly part: unknown;
  readonly message: string;
}

/** A rule that each workflow keeps. */
export interface Rule {
  readonly name: string;
  check(workflow: Workflow, repository: Repository): Iterable<Finding>;
}
