import { joinPointer as join, pointerTokens as tokens } from "@trainyard/core/validation";
import {
  announcedIn,
  announcements,
  basisAt,
  operationKeys,
  lastingName,
  type Release,
  child,
  children,
} from "@trainyard/document";
import type { Change } from "./change.ts";
import { type Document } from "./document.ts";
import { text } from "./json.ts";
import { announcedBy } from "./kinds.ts";

/** How long a deprecated element remains before its removal, as the site promises. */
export const promised = { minorVersions: 2, days: 90 } as const;

/** The names of everything that a document marks as deprecated, to store with a release. */
export function deprecatedIn(document: Document): string[] {
  return announcements(document.root)
    .map(({ name }) => name)
    .toSorted();
}

/** Something that a change removes. */
interface Removal {
  /** In words, to begin a sentence. */
  readonly what: string;
  /** The names under which releases may remember that it is deprecated. */
  readonly names: readonly string[];
}

/** Everything that a change removes and that can be deprecated. */
function removals(released: Document, { base, gone, kind, place }: Change): Removal[] {
  const { root } = released;
  const target = released.follow(released.at(base));
  const element = (...pointers: string[]): Removal => ({
    what: place,
    names: pointers.map((pointer) => lastingName(root, pointer)),
  });
  switch (announcedBy[kind]) {
    case "deprecated":
      return [element(base, target.pointer)];
    case "operations": {
      // A callback has them below its addresses.
      const items = [target, ...children(target).map(([, item]) => item)];
      const operations = items.flatMap((item) => operationKeys(item.value).map((method) => child(item, method)));
      return operations.map(({ pointer }) => element(pointer));
    }
    case "value": {
      // Each constant of a union can be deprecated.
      if (gone !== undefined)
        return gone.map((value) => ({
          what: `\`${text(value)}\` of ${place}`,
          names: [join(lastingName(root, base), JSON.stringify(value))],
        }));
      const around = join("", ...tokens(base).slice(0, -1));
      return Array.isArray(released.at(around).value) ? [element(base, target.pointer)] : [];
    }
    default:
      return [];
  }
}

/** How something leaves. */
export interface Departure {
  /** Since when it was deprecated: "since 1.1.0 of 2026-01-01". */
  readonly announced?: string;
  /** What is missing before it may be removed, as a sentence. */
  readonly missing?: string;
}

/**
 * Judges everything that a change removes. A fact that is only proposed may be removed at any time, and so may a member of an
 * open set of responses: its removal breaks nothing.
 *
 * @param released the last released bundle
 * @param releases all releases, newest first
 * @param today a date such as `2026-11-04`
 */
export function departures(
  change: Change,
  released: Document,
  releases: readonly Release[],
  today: string,
): Departure[] {
  if (change.verdict !== "breaking" || announcedBy[change.kind] === undefined) return [];
  const at = [change.base];
  // The source of a property is that of its object, whatever its type refers to.
  if (tokens(change.base).at(-2) !== "properties") at.push(released.follow(released.at(change.base)).pointer);
  if (at.some((pointer) => basisAt(released.root, pointer) === "proposed")) return [];
  return removals(released, change).map(({ what, names }) => {
    const marked = announcedIn(releases, change.service, names);
    const versions = marked.map(({ contract }) => contract[change.service] ?? "");
    const first = marked.at(-1);
    const rule = `It has to be deprecated in ${promised.minorVersions} minor versions and for ${promised.days} days before, or be accepted in a changeset.`;
    if (first === undefined) return { missing: `${what} leaves and was never released as deprecated. ${rule}` };
    const announced = `since ${versions.at(-1) ?? ""} of ${first.date}`;
    const minors = new Set(versions.map((version) => version.split(".").slice(0, 2).join("."))).size;
    const remaining = promised.minorVersions - minors;
    const days = Math.floor((Date.parse(today) - Date.parse(first.date)) / 86_400_000);
    const from = new Date(Date.parse(first.date) + promised.days * 86_400_000).toISOString().slice(0, 10);
    const wanted = [
      ...(days < promised.days ? [`from ${from} on`] : []),
      ...(remaining > 0 ? [`after ${remaining} more minor version${remaining === 1 ? "" : "s"}`] : []),
    ];
    if (wanted.length === 0) return { announced };
    const may = `it may leave ${wanted.join(" and ")}`;
    return { announced, missing: `${what} leaves and is deprecated ${announced}, for ${days} days: ${may}. ${rule}` };
  });
}
