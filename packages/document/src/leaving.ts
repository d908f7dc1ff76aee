/**
 * What leaves: elements that are `deprecated`, and the entries of `x-leaving`. Releases remember each under a name that stays
 * the same when the lists around it change.
 */
import { isObject, joinPointer, pointerTokens, resolvePointer, type JsonObject } from "@trainyard/core/validation";
import type { Extension, JsonSchema } from "./extension.ts";
import { locate, schemaName } from "./locate.ts";
import { objectsIn } from "./objects.ts";

/** One entry of `x-leaving`: it announces a value of an enumeration, a media type of a body, or a former name of a method. */
export interface Leaving {
  readonly of: "value" | "media" | "method";
  /** The value, the media type or the method. */
  readonly what: unknown;
  /** The first version without it. */
  readonly until: string;
  /** What to use instead: a sentence, or the new name of a method. */
  readonly instead: string;
  /** The first release that announced it. */
  readonly since: string | undefined;
}

const key = "x-leaving";
/** {@link markSince} adds a version under this key. No document contains it. */
const sinceKey = "x-since";

/** The row of `x-leaving`. */
export function leavingRow(method: JsonSchema): Extension<readonly Leaving[]> {
  const text = { type: "string", minLength: 1 };
  const until = { type: "string", pattern: "^[0-9]+\\.[0-9]+\\.[0-9]+$" };
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
          properties: { [of]: what, until, instead: text },
          required: [of, "until", "instead"],
          additionalProperties: false,
        })),
      },
    },
    mustBe:
      "a list like `[{value: categorical, until: 2.0.0, instead: Use boolean.}]`: each entry has a `value`, a `media` or a " +
      "`method`, the major version `until` which it stays, and what to use `instead`",
    read: (holder) => [holder[key] ?? []].flat().flatMap((entry) => readLeaving(entry) ?? []),
    describe: (all) => (all.length === 0 ? undefined : all.map(describeLeaving).join(" ")),
    changes: { entries: true },
  };
}

/** One entry; undefined if it is incomplete. */
export function readLeaving(entry: unknown): Leaving | undefined {
  if (!isObject(entry)) return undefined;
  const of = (["value", "media", "method"] as const).find((one) => Object.hasOwn(entry, one));
  const { until, instead } = entry;
  if (of === undefined || typeof until !== "string" || typeof instead !== "string") return undefined;
  return { of, what: entry[of], until, instead, since: sinceOf(entry) };
}

/** The version since which an element or an entry is deprecated, if {@link markSince} found one. */
export function sinceOf(holder: JsonObject): string | undefined {
  return typeof holder[sinceKey] === "string" ? holder[sinceKey] : undefined;
}

/** An entry in words: "`categorical` is deprecated since 1.1.0 and stays until 2.0.0. Use boolean." */
export function describeLeaving({ of, what, until, instead, since }: Leaving): string {
  const named = typeof what === "string" ? what : JSON.stringify(what);
  const term = `${since === undefined ? "" : ` since ${since}`} and stays until ${until}`;
  return `\`${named}\` is deprecated${term}. ${of === "method" ? `Use \`${instead}\`.` : instead}`;
}

/** Whether what an entry announces is still there, beside the entry: a former method is, if it is no longer a former one. */
export function isPresent({ of, what }: Leaving, holder: JsonObject): boolean {
  if (of === "method") return what === holder["x-client-method"];
  if (of === "media") return isObject(holder["content"]) && Object.hasOwn(holder["content"], String(what));
  const values = [holder["enum"] ?? holder["const"]].flat();
  return values.some((value) => JSON.stringify(value) === JSON.stringify(what));
}

/** Something that leaves: the deprecated element or the entry, and the name under which releases remember it. */
export interface Announcement {
  readonly name: string;
  readonly node: JsonObject;
}

/** Everything that a document announces to leave. */
export function announcements(root: object): Announcement[] {
  const isOfEntry = new RegExp(`/${key}/`);
  return objectsIn(root).flatMap(({ node, pointer }): Announcement[] => {
    if (isOfEntry.test(pointer)) return [];
    const entries = [node[key] ?? []].flat().filter(isObject);
    return [
      ...(node["deprecated"] === true ? [{ name: lastingName(root, pointer), node }] : []),
      ...entries.flatMap((entry) => {
        const leaving = readLeaving(entry);
        return leaving === undefined ? [] : [{ name: entryName(root, pointer, leaving.what), node: entry }];
      }),
    ];
  });
}

/** The name of an entry of `x-leaving` on the object at a pointer. */
export function entryName(root: object, pointer: string, what: unknown): string {
  return joinPointer(lastingName(root, pointer), key, JSON.stringify(what));
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
  /** The names of everything that its documents announced to leave, by service. */
  readonly deprecated?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The releases of a service, newest first, that announced something without interruption up to the last one.
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

/** Adds to everything that leaves the version since which it does, so that types and pages can show it. */
export function markSince(root: object, service: string, releases: readonly Release[]): void {
  for (const { name, node } of announcements(root)) {
    const since = announcedIn(releases, service, [name]).at(-1)?.contract[service];
    if (since !== undefined) node[sinceKey] = since;
  }
}
