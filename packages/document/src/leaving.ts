/**
 * What leaves: elements that are `deprecated`, and the entries of `x-leaving`. Releases remember each under a name that stays
 * the same when the lists around it change.
 */
import { isObject, joinPointer, pointerTokens, resolvePointer, type JsonObject } from "@trainyard/core/validation";
import type { Extension, JsonSchema } from "./extension.ts";
import { locate, schemaName } from "./locate.ts";

/** What `x-leaving` can announce: a value of an enumeration, a media type of a body, a former name of a method. */
const subjects = ["value", "media", "method"] as const;

/** One entry of `x-leaving`. */
export interface Leaving {
  readonly of: (typeof subjects)[number];
  /** The value, the media type or the method. */
  readonly what: unknown;
  /** The first version without it. */
  readonly until: string;
  /** What to use instead: a sentence, or the new name of a method. */
  readonly instead: string;
  /** The first release that announced it; undefined until then. */
  readonly since?: string;
}

/** The key under which {@link markSince} adds a version to what leaves. No document contains it. */
const sinceKey = "x-since";
const key = "x-leaving";

/** The row of `x-leaving`. */
export function leavingRow(method: JsonSchema): Extension<readonly Leaving[]> {
  const text = { type: "string", minLength: 1 };
  return {
    key,
    says:
      "What leaves and cannot be `deprecated`: values of an enumeration, media types of a body, former names of a method. " +
      "Each entry has the first version without it, and what to use instead.",
    on: ["Operation", "RequestBody", "Response", "Schema"],
    schema: {
      type: "array",
      minItems: 1,
      items: {
        oneOf: Object.entries({ value: {}, media: text, method }).map(([of, what]) => ({
          type: "object",
          properties: { [of]: what, until: { type: "string", pattern: "^[0-9]+\\.[0-9]+\\.[0-9]+$" }, instead: text },
          required: [of, "until", "instead"],
          additionalProperties: false,
        })),
      },
    },
    mustBe:
      "a list like `[{value: categorical, until: 2.0.0, instead: Use boolean.}]`: each entry has a `value`, a `media` or a " +
      "`method`, the major version `until` which it stays, and what to use `instead`",
    read: (holder) => {
      const value = holder[key];
      return (Array.isArray(value) ? value.filter(isObject) : []).flatMap((entry) => readLeaving(entry) ?? []);
    },
    describe: (all) => (all.length === 0 ? undefined : all.map(describeLeaving).join(" ")),
    changes: { entries: true },
  };
}

/** One entry; undefined if it is incomplete. */
export function readLeaving(entry: JsonObject): Leaving | undefined {
  const of = subjects.find((subject) => Object.hasOwn(entry, subject));
  const { until, instead } = entry;
  if (of === undefined || typeof until !== "string" || typeof instead !== "string") return undefined;
  return { of, what: entry[of], until, instead, ...sinceOf(entry) };
}

/** The version since which an element or an entry is deprecated, if {@link markSince} added it. */
export function sinceOf(holder: JsonObject): { readonly since?: string } {
  const since = holder[sinceKey];
  return typeof since === "string" ? { since } : {};
}

/** An entry in words: "`categorical` is deprecated since 1.1.0, until 2.0.0. Use boolean." */
export function describeLeaving({ what, ...leaving }: Leaving): string {
  return `\`${typeof what === "string" ? what : JSON.stringify(what)}\` is deprecated ${describeTerm(leaving)}`;
}

/** The second part of {@link describeLeaving}. */
export function describeTerm({ of, until, instead, since }: Omit<Leaving, "what">): string {
  const cure = of === "method" ? `Use \`${instead}\`.` : instead;
  return `${since === undefined ? "" : `since ${since}, `}until ${until}. ${cure}`;
}

/** Whether what an entry announces is still there. `holder` has the entry, or had it. */
export function isPresent({ of, what }: Leaving, holder: JsonObject, method: string | undefined): boolean {
  if (of === "method") return what === method;
  if (of === "media") return isObject(holder["content"]) && Object.hasOwn(holder["content"], String(what));
  const values: unknown = holder["enum"] ?? [holder["const"]];
  return Array.isArray(values) && values.some((value) => JSON.stringify(value) === JSON.stringify(what));
}

/** Something that leaves. */
export interface Announcement {
  /** The name under which releases remember it. */
  readonly name: string;
  /** The deprecated element, or the entry of `x-leaving`. */
  readonly node: JsonObject;
}

/** Everything that a document announces to leave. */
export function announcements(root: object): Announcement[] {
  const within = (node: unknown, pointer: string): Announcement[] => {
    if (Array.isArray(node)) return node.flatMap((item, index) => within(item, joinPointer(pointer, index)));
    if (!isObject(node)) return [];
    const entries = [node[key] ?? []].flat().filter(isObject);
    return [
      ...(node["deprecated"] === true ? [{ name: lastingName(root, pointer), node }] : []),
      ...entries.flatMap((entry) => {
        const leaving = readLeaving(entry);
        return leaving === undefined ? [] : [{ name: entryName(root, pointer, leaving.what), node: entry }];
      }),
      ...Object.entries(node).flatMap(([name, item]) =>
        name === "example" || name === "examples" || name === key ? [] : within(item, joinPointer(pointer, name)),
      ),
    ];
  };
  return within(root, "#");
}

/** The name of an entry of `x-leaving` on the object at a pointer. */
export function entryName(root: object, pointer: string, what: unknown): string {
  return joinPointer(lastingName(root, pointer), key, JSON.stringify(what));
}

/** A pointer in which parameters and variants have their names instead of their places, without `allOf` and the names in paths. */
export function lastingName(root: object, pointer: string): string {
  let at = "#";
  let name = "";
  for (const [index, token] of pointerTokens(pointer).entries()) {
    const list = pointerTokens(at).at(-1) ?? "";
    const isItem = index > 0 && Array.isArray(resolvePointer(root, at));
    const around = at;
    at = joinPointer(at, token);
    if (isItem && list === "allOf") name = name.slice(0, -"/allOf".length);
    else if (around === "#/paths") name = joinPointer(name, token.replaceAll(/\{[^}]*\}/g, "{}"));
    else name = joinPointer(name, (isItem ? itemName(root, around, at) : undefined) ?? token);
  }
  return name;
}

/** What tells an item from the others of its list; undefined if only its place does. */
function itemName(root: object, list: string, pointer: string): string | undefined {
  const holder = resolvePointer(root, joinPointer("#", ...pointerTokens(list).slice(0, -1)));
  const { node, pointer: target } = locate(root, pointer);
  if (pointerTokens(list).at(-1) === "parameters") return `${String(node["in"])} ${String(node["name"])}`;
  const discriminator = isObject(holder) && isObject(holder["discriminator"]) ? holder["discriminator"] : {};
  const raw = resolvePointer(root, pointer);
  const mapping = Object.entries(isObject(discriminator["mapping"]) ? discriminator["mapping"] : {});
  const mapped = mapping.find(([, one]) => isObject(raw) && one === raw["$ref"]);
  if (mapped !== undefined) return mapped[0];
  const properties = isObject(node["properties"]) ? node["properties"] : {};
  const tag = properties[String(discriminator["propertyName"])];
  if (isObject(tag) && typeof tag["const"] === "string") return tag["const"];
  const component = isObject(raw) && typeof raw["$ref"] === "string" ? schemaName(raw["$ref"]) : schemaName(target);
  if (component !== undefined) return component;
  if (node["const"] !== undefined) return JSON.stringify(node["const"]);
  return typeof node["title"] === "string" ? node["title"] : undefined;
}

/** One release: the version of its packages, and the contracts that its clients are generated from. */
export interface Release {
  readonly version: string;
  /** As `2026-11-04`. */
  readonly date: string;
  /** `info.version` of the released clients, by service. */
  readonly contract: Readonly<Record<string, string>>;
  /** The names of everything that its documents announced to leave, by service. */
  readonly deprecated?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The releases of a service that announced something without interruption up to the last one, newest first.
 *
 * @param names alternative names of it
 * @param releases all releases, newest first
 */
export function announcedIn(releases: readonly Release[], service: string, names: readonly string[]): Release[] {
  const own = releases.filter(({ contract }) => Object.hasOwn(contract, service));
  const unmarked = own.findIndex(({ deprecated }) => !names.some((one) => deprecated?.[service]?.includes(one)));
  return own.slice(0, unmarked < 0 ? own.length : unmarked);
}

/** Adds to everything that leaves the version since which it does, so that types and pages can show it. */
export function markSince(root: object, service: string, releases: readonly Release[]): void {
  for (const { name, node } of announcements(root)) {
    const since = announcedIn(releases, service, [name]).at(-1)?.contract[service];
    if (since !== undefined) node[sinceKey] = since;
  }
}
