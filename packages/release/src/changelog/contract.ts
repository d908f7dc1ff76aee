import type { ServiceComparison } from "@trainyard/contract";
import { changeList } from "./change-list.ts";

/** The entry of one service's contract in a release. */
export interface Entry {
  readonly service: string;
  /** `info.version`. */
  readonly contract: string;
  /** The package and version of its client. */
  readonly client: string;
  /** A date such as `2026-11-04`. */
  readonly date: string;
  /** The comparison with the last release; undefined for the first one. */
  readonly since: ServiceComparison | undefined;
}

const intro = `# Changelog of the contract

What became of the documents from one release of the clients to the next, newest first. \`pnpm release version\` writes it.
`;

/** A section of the changelog; undefined if nothing affects callers and the version is unchanged. */
export function section({ service, contract, client, date, since }: Entry): string | undefined {
  const head = `## ${service} ${contract}`;
  if (since === undefined || since.whole === "added") return `${head}\n\nThe first release, in ${client}, ${date}.\n`;
  if (since.version?.released === undefined || since.version.released === contract) return undefined;
  const changes = changeList(since) || "Words and examples alone.";
  return `${head}\n\nIn ${client}, ${date}. It follows ${since.version.released}.\n\n${changes}\n`;
}

/** The changelog with these sections on top. */
export function addSections(changelog: string | undefined, sections: readonly string[]): string {
  const text = changelog ?? intro;
  const at = /^## /m.exec(text)?.index ?? text.length;
  const parts = [text.slice(0, at).trimEnd(), ...sections.map((part) => part.trim()), text.slice(at).trim()];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
