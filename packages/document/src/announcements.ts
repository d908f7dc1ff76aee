/** What a document marks as `deprecated`. Releases remember each under a name that stays the same when the lists around it change. */
import { joinPointer, pointerTokens, resolvePointer, type JsonObject } from "@trainyard/core/validation";
import { locate, schemaName } from "./locate.ts";
import { objectsIn } from "./objects.ts";

/** {@link markSince} adds a version under this key. No document contains it. */
const sinceKey = "x-since";

/** The version since which an element is deprecated, if {@link markSince} found one. */
export function sinceOf(holder: JsonObject): string | undefined {
  return typeof holder[sinceKey] === "string" ? holder[sinceKey] : undefined;
}

/** Something that is deprecated, and the name under which releases remember it. */
export interface Announcement {
  readonly name: string;
  readonly node: JsonObject;
}

/** Everything that a document marks as `deprecated`. */
export function announcements(root: object): Announcement[] {
  return objectsIn(root).flatMap(({ node, pointer }) =>
    node["deprecated"] === true ? [{ name: lastingName(root, pointer), node }] : [],
  );
}

/** A pointer with the names of parameters and variants instead of their places, and without `allOf`. */
export function lastingName(root: object, pointer: string): string {
  let [at, name] = ["#", ""];
  for (const token of pointerTokens(pointer)) {
    const around = at;
    at = joinPointer(at, token);
    const isItem = Array.isArray(resolvePointer(root, around));
    if (isItem && around.endsWith("/allOf")) name = name.slice(0, -"/allOf".length);
    else name = joinPointer(name, (isItem ? itemName(root, around, at) : undefined) ?? token);
  }
  return name;
}

/** What tells an item from the others of its list; undefined if only its place does. */
function itemName(root: object, list: string, pointer: string): string | undefined {
  const { node } = locate(root, pointer);
  if (list.endsWith("/parameters")) return `${String(node["in"])} ${String(node["name"])}`;
  const raw = Object(resolvePointer(root, pointer));
  const holder = Object(resolvePointer(root, list.replace(/\/\w+$/, "")));
  const mapped = Object.entries(Object(holder.discriminator?.mapping)).find(([, target]) => target === raw.$ref);
  if (mapped !== undefined) return mapped[0];
  if (typeof raw.$ref === "string") return schemaName(raw.$ref);
  return node["const"] === undefined ? raw.title : JSON.stringify(node["const"]);
}

/** One release: the version of its packages, and the contracts that its clients are generated from. */
export interface Release {
  readonly version: string;
  /** As `2026-11-04`. */
  readonly date: string;
  /** `info.version` of the released clients, by service. */
  readonly contract: Readonly<Record<string, string>>;
  /** The names of everything that its documents marked as deprecated, by service. */
  readonly deprecated?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The releases of a service, newest first, that marked something without interruption up to the last one.
 *
 * @param names alternative names of it
 * @param releases all releases, newest first
 */
export function announcedIn(releases: readonly Release[], service: string, names: readonly string[]): Release[] {
  const own = releases.filter(({ contract }) => Object.hasOwn(contract, service));
  // A path parameter may get another name.
  const plain = (name: string): string => name.replaceAll(/\{[\w.-]*\}/g, "{}");
  const wanted = new Set(names.map(plain));
  const unmarked = own.findIndex(({ deprecated }) => !deprecated?.[service]?.some((one) => wanted.has(plain(one))));
  return own.slice(0, unmarked < 0 ? own.length : unmarked);
}

/** Adds to everything that is deprecated the version since which it is, so that types and pages can show it. */
export function markSince(root: object, service: string, releases: readonly Release[]): void {
  for (const { name, node } of announcements(root)) {
    const since = announcedIn(releases, service, [name]).at(-1)?.contract[service];
    if (since !== undefined) node[sinceKey] = since;
  }
}
