import { randomUUID } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceComparison } from "@trainyard/contract";
import { hasBlock, putBlock, withoutBlock } from "../changelog/marks.ts";
import { changeList } from "../changelog/change-list.ts";
import { bumpOf } from "../versions/bump.ts";
import { type Changeset, printChangeset } from "../versions/changeset.ts";

/**
 * What happened to a service's changeset. `kept`: it contains text by a person, but no change of the contract any more.
 */
export interface Draft {
  readonly outcome: "written" | "updated" | "unchanged" | "removed" | "kept";
  readonly file: string;
}

/** The changesets that wait for a release: those that were added on this branch, and all. */
export type Waiting = Readonly<Record<"own" | "all", readonly Changeset[]>>;

/**
 * Updates the changesets of a service for the changes of its contract: the generated part of the text, and the bump of
 * the client. Text by a person and other packages stay. Changesets of other branches are changed only if their changes
 * were reverted. Returns nothing if there is nothing to report.
 *
 * @param name the package of the service's client
 */
export function putDrafts(root: string, comparison: ServiceComparison, name: string, { own, all }: Waiting): Draft[] {
  const { service, verdict, sinceRelease } = comparison;
  const generated = (list: readonly Changeset[]): Changeset[] => list.filter(({ text }) => hasBlock(text, service));
  if (isSilent(sinceRelease?.verdict ?? "unchanged"))
    return generated(all).map((changeset) => takeOut(root, service, name, changeset));
  const [found] = generated(own);
  if (isSilent(verdict)) return found === undefined ? [] : [takeOut(root, service, name, found)];
  return [putDraft(root, comparison, name, found)];
}

/** Whether no change would appear in a changelog for callers. */
function isSilent(verdict: ServiceComparison["verdict"]): boolean {
  return verdict === "neutral" || verdict === "unchanged";
}

function putDraft(root: string, comparison: ServiceComparison, name: string, found: Changeset | undefined): Draft {
  const { service } = comparison;
  const needed = bumpOf(comparison);
  // A warning needs no release; it is reported with the next one.
  const bump = needed === "none" ? "patch" : needed;
  const file = found?.file ?? newFile(root, service);
  const content = describe(comparison);
  const releases = new Map([...(found?.releases ?? []), [name, bump]]);
  const before = found && printChangeset(found);
  const now = printChangeset({ file, releases, text: putBlock(found?.text ?? "", service, content) });
  if (now === before) return { outcome: "unchanged", file };
  writeFileSync(join(root, file), now);
  return { outcome: found === undefined ? "written" : "updated", file };
}

function describe(comparison: ServiceComparison): string {
  const { service, version } = comparison;
  if (version === undefined) return `The service ${service} is new.`;
  const last = version.released === undefined ? "" : ` (${version.released} was released last)`;
  return `The contract of ${service} is ${version.needed}${last}.\n\n${changeList(comparison)}`;
}

/** Removes a generated part that is no longer true; the whole file if it contains no text by a person. */
function takeOut(root: string, service: string, name: string, changeset: Changeset): Draft {
  const { file, releases } = changeset;
  const text = withoutBlock(changeset.text, service);
  const others = [...releases].filter(([other]) => other !== name);
  if (text === "" && others.length === 0) {
    rmSync(join(root, file));
    return { outcome: "removed", file };
  }
  writeFileSync(join(root, file), printChangeset({ file, releases, text }));
  return { outcome: "kept", file };
}

/** A name that no other branch uses. */
function newFile(root: string, service: string): string {
  const file = `.changeset/${service}-contract-${randomUUID().slice(0, 6)}.md`;
  return existsSync(join(root, file)) ? newFile(root, service) : file;
}
