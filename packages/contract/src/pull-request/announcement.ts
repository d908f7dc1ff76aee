import { DocumentError } from "@trainyard/document/files";
import { check } from "../check.ts";
import { Failure } from "../failure.ts";
import { github } from "../report/github.ts";
import { markdown } from "../report/markdown.ts";
import { isRefused } from "../report/sentence.ts";

/** The outputs of a comparison in a workflow. */
export interface Announcement {
  readonly refused: boolean;
  /** For the log: annotations of lines, and one screen of the report as text. */
  readonly log: string;
  /** For the comment: one screen. */
  readonly comment: string;
  /** The whole report, in Markdown. */
  readonly whole: string;
}

/**
 * Compares once for all outputs. Fails if documents cannot be compared.
 *
 * @param rest where readers find the whole report, if it does not fit the comment
 */
export async function announce(root: string, revision: string, rest: string): Promise<Announcement> {
  try {
    const report = await check(root, revision);
    const [log, comment, whole] = [github(report, rest), markdown(report, rest), markdown(report)];
    return { refused: isRefused(report), log, comment, whole };
  } catch (error) {
    if (!(error instanceof Failure || error instanceof DocumentError)) throw error;
    const { message } = error;
    const comment = `## Contract\n\nThe documents cannot be compared. ${message}\n`;
    return { refused: true, log: message, comment, whole: comment };
  }
}
