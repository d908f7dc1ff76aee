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

/** The first line in a file that a merge left in conflict. */
export function conflictIn(text: string): Omit<Problem, "file"> | undefined {
  const line = text.split(/\r?\n/).findIndex((one) => /^(<{7}|={7}|>{7})( |$)/.test(one)) + 1;
  const cure = "Keep one of the two sides, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.";
  const message = "This file has conflict markers: a merge was not finished.";
  return line === 0 ? undefined : { line, column: 1, message, cure };
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

/** A workflow command of GitHub, which shows a message at a line. */
export function annotation(
  kind: "error" | "warning" | "notice",
  { file, line }: Pick<Problem, "file" | "line">,
  heading: string,
  body: string,
): string {
  const position = line === undefined ? `file=${property(file)}` : `file=${property(file)},line=${line}`;
  return `::${kind} ${position},title=${property(heading)}::${data(body)}`;
}

/** GitHub's escapes: a line feed would end the command. */
function data(value: string): string {
  return value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(value: string): string {
  return data(value).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
