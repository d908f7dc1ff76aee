import { joinPointer as join, pointerTokens as tokens } from "@trainyard/core/validation";
import {
  announcedIn,
  announcements,
  dialect,
  entryName,
  httpMethods,
  lastingName,
  type Release,
} from "@trainyard/document";
import type { Change } from "./change.ts";
import { type Document, child, children, nearest } from "./document.ts";
import { type Json, isObject, text } from "./json.ts";
import { announcedBy } from "./kinds.ts";

/** How long a deprecated element remains before its removal, as the site promises. */
export const promised = { minorVersions: 2, days: 90 } as const;

/** The names of everything that a document announces to leave, to store with a release. */
export function deprecatedIn(document: Document): string[] {
  return announcements(document.root)
    .map(({ name }) => name)
    .toSorted();
}

/** Something that a change removes, and how it is announced. */
interface Removal {
  /** In words, to begin a sentence. */
  readonly what: string;
  readonly how: "deprecated" | "announced in `x-leaving`";
  /** The names under which releases may remember its announcement. */
  readonly names: readonly string[];
  /** The version that its entry of `x-leaving` names. */
  readonly until?: string | undefined;
}

/** Everything that a change removes and that can be announced. */
function removals(released: Document, { base, gone, kind, place }: Change): Removal[] {
  const { root } = released;
  const path = tokens(base);
  const around = (levels: number): string => join("", ...path.slice(0, -levels));
  const target = released.follow(released.at(base));
  const element = (...pointers: string[]): Removal => {
    return { what: place, how: "deprecated", names: pointers.map((pointer) => lastingName(root, pointer)) };
  };
  const entry = (holder: string, what: Json | undefined, ...others: string[]): Removal => {
    const { value } = released.at(holder);
    const name = entryName(root, holder, what);
    const entries = dialect.leaving.read(isObject(value) ? value : {});
    const until = entries.find((one) => entryName(root, holder, one.what) === name)?.until;
    return { what: `\`${text(what)}\` of ${place}`, how: "announced in `x-leaving`", names: [name, ...others], until };
  };
  switch (announcedBy[kind]) {
    case "deprecated":
      return [element(base, target.pointer)];
    case "operations": {
      // A callback has them below its addresses.
      const items = [target, ...children(target).map(([, item]) => item)];
      const operations = items.flatMap((item) => httpMethods.map((method) => child(item, method)));
      return operations.flatMap(({ value, pointer }) => (value === undefined ? [] : element(pointer)));
    }
    case "value":
      // Each constant of a union can be deprecated, too.
      if (gone !== undefined)
        return gone.map((value) => entry(around(1), value, join(lastingName(root, base), JSON.stringify(value))));
      return Array.isArray(released.at(around(1)).value) ? [element(base, target.pointer)] : [];
    case "media":
      if (path.at(-2) === "content") return [entry(around(2), path.at(-1))];
      return children(child(target, "content")).map(([type]) => entry(target.pointer, type));
    case "method":
      return [entry(around(path.length - 3), isObject(target.value) ? target.value["method"] : target.value)];
    default:
      return [];
  }
}

/** How something leaves. */
export interface Departure {
  /** Since when it was announced, and until when: "since 1.1.0 of 2026-01-01, until 2.0.0". */
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
  if (at.some((pointer) => nearest(released, pointer, dialect.basis.key) === "proposed")) return [];
  return removals(released, change).map(({ what, how, names, until }) => {
    const marked = announcedIn(releases, change.service, names);
    const versions = marked.map(({ contract }) => contract[change.service] ?? "");
    const first = marked.at(-1);
    const rule = `It has to be ${how} in ${promised.minorVersions} minor versions and for ${promised.days} days before, or be accepted in a changeset.`;
    const never = how === "deprecated" ? "never released as deprecated" : `never ${how}`;
    if (first === undefined) return { missing: `${what} leaves and was ${never}. ${rule}` };
    const announced = `since ${versions.at(-1) ?? ""} of ${first.date}${until === undefined ? "" : `, until ${until}`}`;
    const minors = new Set(versions.map((version) => version.split(".").slice(0, 2).join("."))).size;
    const remaining = promised.minorVersions - minors;
    const days = Math.floor((Date.parse(today) - Date.parse(first.date)) / 86_400_000);
    const from = new Date(Date.parse(first.date) + promised.days * 86_400_000).toISOString().slice(0, 10);
    const isLater = until !== undefined && Number.parseInt(until) > Number.parseInt(released.version) + 1;
    const wanted = [
      ...(days < promised.days ? [`from ${from} on`] : []),
      ...(remaining > 0 ? [`after ${remaining} more minor version${remaining === 1 ? "" : "s"}`] : []),
      ...(isLater ? [`with version ${until}`] : []),
    ];
    if (wanted.length === 0) return { announced };
    const may = `it may leave ${wanted.join(" and ")}`;
    return { announced, missing: `${what} leaves and is ${how} ${announced}, for ${days} days: ${may}. ${rule}` };
  });
}
