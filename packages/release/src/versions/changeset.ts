import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "@trainyard/contract";
import { parseDocument } from "yaml";
import { type Bump, isBump } from "./bump.ts";

/** A planned release of packages, and its text for the changelogs. */
export interface Changeset {
  /** Relative to the root, with `/`. */
  readonly file: string;
  /** Bumps by the name of the package. */
  readonly releases: ReadonlyMap<string, Bump>;
  readonly text: string;
}

const form = /^---\r?\n([^]*?)\r?\n?---[ \t]*(?:\r?\n([^]*))?$/;

/**
 * Every changeset that waits for a release, by name.
 * @throws {@link Failure} if one cannot be read
 */
export function readChangesets(root: string): Changeset[] {
  const folder = join(root, ".changeset");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .toSorted()
    .map((name) => parseChangeset(`.changeset/${name}`, readFileSync(join(folder, name), "utf8")));
}

/** Reads a changeset: packages and bumps between two lines of dashes, then Markdown. */
export function parseChangeset(file: string, content: string): Changeset {
  const [whole, front = "", text = ""] = form.exec(content) ?? [];
  const parsed = parseDocument(front);
  const releases: unknown = whole === undefined || parsed.errors.length > 0 ? undefined : (parsed.toJS() ?? {});
  if (typeof releases !== "object" || releases === null) {
    throw new Failure(`${file} is no changeset: it opens with no \`---\`, packages and bumps, \`---\`.`);
  }
  const entries = Object.entries(releases).map(([name, bump]): [string, Bump] => {
    if (isBump(bump)) return [name, bump];
    throw new Failure(`${file} asks for "${String(bump)}" of ${name}. Write patch, minor or major.`);
  });
  return { file, releases: new Map(entries), text: text.trim() };
}

/** The file content of a changeset. */
export function printChangeset({ releases, text }: Changeset): string {
  const lines = [...releases].map(([name, bump]) => `"${name}": ${bump}\n`);
  return `---\n${lines.join("")}---\n\n${text}\n`;
}
