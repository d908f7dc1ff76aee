/**
 * Formats the CHANGELOG of a package for changesets: like its default, without the marks that `pnpm contract change`
 * uses, and with dependencies on one line. `.changeset/config.json` names this file.
 */
import { withoutMarks } from "./marks.ts";

interface Changeset {
  readonly summary: string;
  /** The commit that added it; undefined if it is not committed. */
  readonly commit?: string | undefined;
}

interface Dependency {
  readonly name: string;
  readonly newVersion: string;
}

/** A changeset as a list item, with the lines after the first one indented. */
export function getReleaseLine({ summary, commit }: Changeset): string {
  const [first = "", ...rest] = withoutMarks(summary).split("\n");
  const hash = commit === undefined ? "" : `${commit.slice(0, 7)}: `;
  return [`- ${hash}${first}`, ...rest.map((line) => (line.trim() === "" ? "" : `  ${line.trimEnd()}`))].join("\n");
}

/** The packages that it now uses in a newer version. */
export function getDependencyReleaseLine(_: readonly Changeset[], dependencies: readonly Dependency[]): string {
  if (dependencies.length === 0) return "";
  return `- Takes ${dependencies.map(({ name, newVersion }) => `\`${name}\` ${newVersion}`).join(", ")}.`;
}
