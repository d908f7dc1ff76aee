/**
 * How changesets writes the CHANGELOG of a package: its own way, without the marks that `pnpm contract change` works with, and with
 * dependencies in one line. `.changeset/config.json` names this file.
 */
import { withoutMarks } from "./marks.ts";

interface Changeset {
  readonly summary: string;
  /** The commit that added it; none where it is not committed. */
  readonly commit?: string | undefined;
}

interface Dependency {
  readonly name: string;
  readonly newVersion: string;
}

/** A changeset as an item of a list, with what follows its first line indented. */
export function getReleaseLine({ summary, commit }: Changeset): string {
  const [first = "", ...more] = withoutMarks(summary).split("\n");
  const hash = commit === undefined ? "" : `${commit.slice(0, 7)}: `;
  return [`- ${hash}${first}`, ...more.map((line) => (line.trim() === "" ? "" : `  ${line.trimEnd()}`))].join("\n");
}

/** The packages that it now takes in a newer version. */
export function getDependencyReleaseLine(_: readonly Changeset[], dependencies: readonly Dependency[]): string {
  if (dependencies.length === 0) return "";
  return `- Takes ${dependencies.map(({ name, newVersion }) => `\`${name}\` ${newVersion}`).join(", ")}.`;
}
