import type { Change } from "./change.ts";
import { type Document, type DocumentNode, children, items, nearest } from "./document.ts";
import { isObject } from "./json.ts";
import type { Kind } from "./kinds.ts";
import type { Release } from "./released.ts";

/** How long a deprecated element remains before its removal, as the site promises. */
export const promised = { minorVersions: 2, days: 90 } as const;

/** Kinds of removals of elements that could have been deprecated before. */
const leaving: ReadonlySet<Kind> = new Set<Kind>([
  "operation-removed",
  "operation-moved",
  "parameter-removed",
  "parameter-renamed",
  "property-removed",
  "property-renamed",
  "header-removed",
]);

/** Pointers of everything that a document marks as deprecated, to store with a release. */
export function deprecatedIn(document: Document): string[] {
  const within = (node: DocumentNode): string[] => {
    const { value, pointer } = node;
    const own = isObject(value) && value["deprecated"] === true ? [pointer] : [];
    const below = [...children(node), ...items(node).map((item) => ["", item] as const)];
    return [...own, ...below.flatMap(([key, next]) => (key === "example" || key === "examples" ? [] : within(next)))];
  };
  return within(document.at("")).toSorted();
}

/**
 * What is missing before an element may be removed, as a sentence; undefined if nothing is missing, or nothing is removed.
 * A fact that is only proposed may be removed at any time.
 *
 * @param released the last released bundle
 * @param releases all releases, newest first
 * @param today a date such as `2026-11-04`
 */
export function missing(
  { base, kind, place, service }: Change,
  released: Document,
  releases: readonly Release[],
  today: string,
): string | undefined {
  if (!leaving.has(kind) || nearest(released, base, "x-basis") === "proposed") return undefined;
  const pointers = [base, released.follow(released.at(base)).pointer];
  const own = releases.filter(({ contract }) => Object.hasOwn(contract, service));
  const unmarked = own.findIndex(({ deprecated }) => !pointers.some((one) => deprecated?.[service]?.includes(one)));
  const marked = own.slice(0, unmarked < 0 ? own.length : unmarked);
  const first = marked.at(-1);
  const rule = `It has to be deprecated in ${promised.minorVersions} minor versions and for ${promised.days} days before, or be accepted in a changeset.`;
  if (first === undefined) return `${place} leaves and was never released as deprecated. ${rule}`;
  const minors = new Set(marked.map(({ contract }) => (contract[service] ?? "").split(".").slice(0, 2).join("."))).size;
  const days = Math.floor((Date.parse(today) - Date.parse(first.date)) / 86_400_000);
  if (minors >= promised.minorVersions && days >= promised.days) return undefined;
  const from = new Date(Date.parse(first.date) + promised.days * 86_400_000).toISOString().slice(0, 10);
  const remaining = promised.minorVersions - minors;
  const wanted = [
    ...(days < promised.days ? [`from ${from} on`] : []),
    ...(remaining > 0 ? [`after ${remaining} more minor version${remaining === 1 ? "" : "s"}`] : []),
  ];
  const since = `deprecated since ${first.contract[service] ?? ""} of ${first.date}`;
  return `${place} leaves and is ${since}, for ${days} days: it may leave ${wanted.join(" and ")}. ${rule}`;
}
