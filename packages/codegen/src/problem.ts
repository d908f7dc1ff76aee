/** A fault in a document or in what is generated from it, told so that a person can mend it. */
export interface Problem {
  /** Path of the file, relative to the root of the repository, with `/`. */
  readonly file: string;
  /** Counted from 1. */
  readonly line?: number;
  /** Counted from 1. */
  readonly column?: number;
  /** What is wrong, as a sentence. */
  readonly message: string;
  /** What to do about it, as a sentence. */
  readonly cure: string;
}

/** `file:line:column`, what is wrong, and the cure below it. */
export function formatProblem({ file, line, column, message, cure }: Problem): string {
  const place = [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(":");
  return `${place}\n  ${message}\n  ${cure}`;
}

/** Thrown where a document cannot be turned into code. Nothing has been written then. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(formatProblem).join("\n\n"));
    this.problems = problems;
  }
}
