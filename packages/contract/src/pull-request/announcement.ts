import { check, isRefused } from "../check.ts";
import { Failure } from "../failure.ts";
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
    if (!(error instanceof Failure)) throw error;
    const { message } = error;
    return { refused: true, log: message, markdown: `## Contract\n\nThe documents cannot be compared. ${message}\n` };
  }
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
