import { idleAcceptances, linesToAccept, readAcceptances } from "@trainyard/contract";
import { published } from "../lib/workspace.ts";
import { judgeChangesets, takenBack, unannounced, unknownPackages } from "./agreement.ts";
import { type Changeset, readChangesets } from "./changeset.ts";
import { compareContract } from "./compare.ts";
import { type Base, baseName, changedSince, findBase } from "./git.ts";

/** The changesets that were added or changed on this branch. */
export function ownChangesets(root: string, { commit }: Base, which: "changed" | "new" = "changed"): Changeset[] {
  const changed = new Set(changedSince(root, commit, ".changeset", which));
  return readChangesets(root).filter(({ file }) => changed.has(file));
}

/**
 * Compares the changesets of this branch with its changes of the contract.
 *
 * @param revision the revision to compare with; the main branch by default
 * @returns the lines to print, and whether something must be fixed
 * @throws `Failure` if the revision does not exist, or a changeset cannot be read
 */
export function checkRelease(
  root: string,
  revision?: string,
): { readonly lines: readonly string[]; readonly refused: boolean } {
  const acceptances = readAcceptances(root);
  const packages = published(root);
  const waiting = readChangesets(root);
  const unknown = [...unknownPackages(packages, waiting), ...unannounced(packages, waiting)].map(
    (sentence) => `✗ ${sentence}`,
  );
  const base = findBase(root, revision);
  if (base === undefined) {
    const why = "This clone has no main branch, so the changesets were not compared with the changes of this branch.";
    return { lines: [...unknown, `${why} Name a revision to compare with.`], refused: unknown.length > 0 };
  }
  const services = compareContract(root, base.commit);
  const agreements = judgeChangesets(root, services, ownChangesets(root, base));
  const versions = services.flatMap(({ version }) =>
    version?.right !== false ? [] : [`${version.at.file}: ${version.fault ?? ""}`],
  );
  const wrong = [
    ...versions,
    ...services.flatMap(({ sinceRelease }) => sinceRelease?.leaving ?? []),
    ...takenBack(root, services, waiting),
    ...idleAcceptances(services, acceptances),
  ];
  const refused = wrong.length > 0 || agreements.some(({ agrees }) => !agrees);
  const lines = [
    `Compared with ${baseName(base)}.`,
    ...unknown,
    ...agreements.map(({ agrees, sentence }) => `${agrees ? "✓" : "✗"} ${sentence}`),
    ...wrong.map((sentence) => `✗ ${sentence}`),
    ...(agreements.length === 0 && !refused ? ["✓ The contract asks for no release."] : []),
    ...(refused
      ? ["", ...new Set(services.flatMap(linesToAccept)), "Fix it with: npx -y pnpm@12 contract change"]
      : []),
  ];
  return { lines, refused: refused || unknown.length > 0 };
}
