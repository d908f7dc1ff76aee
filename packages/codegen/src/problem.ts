/** A fault in a document or in generated files, with what a person needs to fix it. */
export interface Problem {
  /** Path of the file, relative to the root of the repository, with `/`. */
  readonly file: string;
  /** Counted from 1. */
  readonly line?: number;
  /** Counted from 1. */
  readonly column?: number;
  /** What is wrong, in a sentence. */
  readonly message: string;
  /** How to fix it, in a sentence. */
  readonly cure: string;
}

/** Formats a problem: `file:line:column`, the message, and the cure below it. */
export function formatProblem({ file, line, column, message, cure }: Problem): string {
  const location = [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(":");
  return `${location}\n  ${message}\n  ${cure}`;
}

/** No code can be generated from a document. No file was written. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(formatProblem).join("\n\n"));
    this.problems = problems;
  }

  /** All problems and their number, for a person. */
  report(): string {
    const { length } = this.problems;
    return `${this.message}\n\n${length === 1 ? "One problem" : `${length} problems`}. No file was written.`;
  }
}
