import { summarize } from "@trainyard/codegen/generate";
import { formatProblem, type Problem } from "@trainyard/document/files";
import type { FileChange, Turn } from "./session.ts";

/** The lines to print after a turn. */
export function turnLines({ changes, report, problems, ms }: Turn): string[] {
  const head = changes.length === 0 ? [] : ["", savedLine(changes)];
  if (problems.length > 0) return [...head, ...faultLines(problems), "  The last good version is still served."];
  if (report === undefined) return [...head, "  No service uses it."];
  const made = summarize(report).map((line) => `  ${line}`);
  return [...head, ...made, changes.length === 0 ? `  ready after ${seconds(ms)}` : `  served after ${seconds(ms)}`];
}

/** Violations of the style guide in documents that are served anyway. */
export function styleLines(problems: readonly Problem[]): string[] {
  if (problems.length === 0) return [];
  return [...faultLines(problems), "  It is served, but `npx -y pnpm@12 test` will fail."];
}

function savedLine(changes: readonly FileChange[]): string {
  const shown = changes.slice(0, 3).map(({ file, what }) => `${what} ${file}`);
  const rest = changes.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(", ");
}

/** One mistake in a document can cause many faults: the first ones are enough to start with. */
function faultLines(problems: readonly Problem[]): string[] {
  const shown = problems.slice(0, 5).flatMap((problem) => formatProblem(problem).split("\n"));
  const rest = problems.length - 5;
  return [...shown, ...(rest > 0 ? [`… and ${rest} other faults`] : [])].map((line) => `  ${line}`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
