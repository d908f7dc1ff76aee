import { type DocumentNode, child, children, type Json } from "@trainyard/document";
import { sides, type Comparison, type Pair } from "../comparison.ts";
import { type Document } from "../document.ts";
import { canonical, capital, text } from "../json.ts";
import { isObject, joinPointer as join } from "@trainyard/core/validation";
import { annotations } from "./annotations.ts";
import {
  type Compare,
  annotation,
  became,
  childPair,
  compareKeys,
  happened,
  isOneSided,
  keysOf,
  passage,
  renamesOf,
} from "./keys.ts";

/** One alternative: the schemes that it needs together, each with its scopes. */
type Way = readonly string[];

function ways({ value }: DocumentNode, renames: ReadonlyMap<string, string> = new Map()): readonly Way[] {
  if (!Array.isArray(value) || value.length === 0) return [[]];
  return value
    .flatMap((way) => (isObject(way) ? [Object.entries(way)] : []))
    .map((way) => way.flatMap(([scheme, scopes]) => needs(renames.get(scheme) ?? scheme, scopes)));
}

function needs(scheme: string, scopes: Json): string[] {
  return [scheme, ...(Array.isArray(scopes) ? scopes.map((scope) => `${scheme}:${text(scope)}`) : [])];
}

/** Whether the credentials for `way` are sufficient. */
function lets(all: readonly Way[], way: Way): boolean {
  return all.some((other) => other.every((need) => way.includes(need)));
}

function named(way: Way): string {
  return way.length === 0 ? "no credential" : `\`${way.filter((need) => !need.includes(":")).join("` with `")}\``;
}

/** The credentials that are sent as before, and have another name: requests do not contain it. */
function renamesIn({ base, revision }: Comparison): ReadonlyMap<string, string> {
  const forms = (document: Document): Map<string, string> =>
    new Map(children(document.at("/components/securitySchemes")).map(([name, { value }]) => [name, canonical(value)]));
  return renamesOf(forms(base), forms(revision));
}

/** Compares how the previously accepted credentials of an operation are sent. */
function compareSchemes(comparison: Comparison, before: readonly Way[]): void {
  for (const name of new Set(before.flat())) {
    const pointer = join("/components/securitySchemes", name);
    const scheme = sides((side) => comparison[side].at(pointer));
    if (scheme.base.value === undefined || scheme.revision.value === undefined) continue;
    comparison.once(scheme, () => compareScheme(comparison, scheme, name));
  }
}

/** Compares which credentials are accepted. A list contains alternatives; an empty list requires nothing. */
export function compareSecurity(comparison: Comparison, pair: Pair): void {
  comparison.exhaust(
    pair,
    () => {
      const before = ways(pair.base, renamesIn(comparison));
      const now = ways(pair.revision);
      compareSchemes(comparison, before);
      const lost = before.filter((way) => !lets(now, way));
      const gained = now.filter((way) => !lets(before, way));
      for (const way of lost) {
        const added = way.length === 0;
        const what = added ? `${now.map(named).join(" or ")} is now needed.` : `${named(way)} is no longer accepted.`;
        comparison.report(added ? "security-added" : "security-narrowed", pair, capital(what));
      }
      for (const way of gained) {
        if (lost.length > 0 && before.some((one) => one.every((need) => way.includes(need)))) continue;
        comparison.report("security-widened", pair, capital(`${named(way)} is now accepted.`));
      }
    },
    "rewritten",
  );
}

function needsOf(document: Document): ReadonlySet<string> {
  const operations = children(document.at("/paths")).flatMap(([, path]) => children(path));
  const lists = operations.map(([, operation]) => child(operation, "security"));
  return new Set([document.at("/security"), ...lists].flatMap((list) => ways(list)).flat());
}

/** Compares how a credential is sent. Only scopes that some operation needs count. */
function compareScheme(comparison: Comparison, pair: Pair, scheme: string): void {
  const changed: Compare = (_, below, key) =>
    comparison.report("security-scheme-changed", pair, `The credential is sent in another way. ${became(below, key)}`);
  const how = { type: changed, scheme: changed, in: changed, name: changed, openIdConnectUrl: changed };
  const rules = { ...annotations, bearerFormat: annotation("description-changed"), ...how };
  const needed = needsOf(comparison.base);
  const scopes: Compare = (_, below) => {
    for (const scope of keysOf(below)) {
      const at = childPair(below, scope);
      const isLost = at.revision.value === undefined && needed.has(`${scheme}:${scope}`);
      const kind = isLost ? "security-narrowed" : "description-changed";
      comparison.report(kind, at, `The scope \`${scope}\` ${happened(at)}.`);
    }
  };
  const refreshUrl = passage("`refreshUrl`", "security-widened", "security-scheme-changed");
  const addresses = { authorizationUrl: changed, tokenUrl: changed, refreshUrl };
  const flows: Compare = (_, below) => {
    for (const name of keysOf(below)) {
      const flow = childPair(below, name);
      if (isOneSided(comparison, flow, `flow \`${name}\``, "security-widened", "security-narrowed")) continue;
      compareKeys(comparison, flow, { rules: { ...annotations, ...addresses, scopes } });
    }
  };
  compareKeys(comparison, pair, { rules: { ...rules, flows } });
}
