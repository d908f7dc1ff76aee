import { DocumentError, formatProblem, type Problem } from "@trainyard/codegen/problem";
import { check, isRefused } from "../check.ts";
import { Failure } from "../failure.ts";
import { annotation } from "@trainyard/codegen/problem";
import { github } from "../report/github.ts";
import { markdown } from "../report/markdown.ts";

/** The outputs of a comparison in a workflow. */
export interface Announcement {
  readonly refused: boolean;
  /** For the log: annotations of lines, and the whole report as text. */
  readonly log: string;
  /** For the summary of the run, and the comment. */
  readonly markdown: string;
}

/** Compares once for all outputs. Fails if documents cannot be compared. */
export async function announce(root: string, revision: string): Promise<Announcement> {
  try {
    const report = await check(root, revision);
    return { refused: isRefused(report), log: github(report), markdown: markdown(report) };
  } catch (error) {
    if (!(error instanceof DocumentError || error instanceof Failure)) throw error;
    const problems = error instanceof DocumentError ? error.problems : [];
    return {
      refused: true,
      log: [...problems.map(annotate), error.message].join("\n"),
      markdown: `## Contract\n\nThe documents cannot be compared.\n\n${fenced(problems, error.message)}\n`,
    };
  }
}

function annotate({ file, line, message, cure }: Problem): string {
  return annotation(
    "error",
    { file, ...(line === undefined ? {} : { line }) },
    "Broken document",
    `${message}\n${cure}`,
  );
}

/** A code block whose fence is longer than any in its content. */
function fenced(problems: readonly Problem[], message: string): string {
  const text = problems.length > 0 ? problems.map(formatProblem).join("\n\n") : message;
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** GitHub accepts comments of up to 65,536 characters. */
const longest = 60_000;

/** Shortens a report between two lines if it is too long for a comment, with a link to the rest: `run`. */
export function shorten(markdown: string, run: string): string {
  if (markdown.length <= longest) return markdown;
  const kept = markdown.slice(0, markdown.lastIndexOf("\n", longest));
  const open = kept.split("<details>").length - kept.split("</details>").length;
  const rest = `The rest is in the [summary of the run](${run}).`;
  return `${kept}\n${"\n</details>\n".repeat(Math.max(0, open))}\n${rest}\n`;
}
