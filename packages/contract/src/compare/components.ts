import { type DocumentNode, child, children, same } from "@trainyard/document";
import type { Comparison, Pair } from "../comparison.ts";
import { canonical } from "../json.ts";
import { isObject } from "@trainyard/core/validation";
import { childPair, happened, isOneSided, keysOf } from "./keys.ts";
import { compareSchema } from "./schema.ts";

/** Whether a schema was used only as a variant of unions that are still there: the change of the variant is reported there. */
function leftAsVariant({ base, revision }: Comparison, { pointer, value }: DocumentNode): boolean {
  const users = base.usersOf(pointer);
  const onlyVariant =
    users.length > 0 &&
    users.every((user) => {
      const [, union] = /^(.*)\/(?:oneOf|anyOf)\/\d+$/.exec(user) ?? [];
      return union !== undefined && revision.at(union).value !== undefined;
    });
  // If its content was inlined, it was not removed.
  return onlyVariant && !canonical(revision.root).includes(canonical(value));
}

/** Compares the names of schemas, which clients export as types, and schemas that no operation uses. */
function compareSchemas(comparison: Comparison, pair: Pair): void {
  const added = new Map<string, string>();
  for (const [name, node] of children(pair.revision)) {
    if (child(pair.base, name).value === undefined) added.set(canonical(node.value), name);
  }
  const renamed = new Set<string>();
  comparison.as("import", () => {
    for (const name of keysOf(pair)) {
      const at = childPair(pair, name);
      const twin = at.revision.value === undefined ? added.get(canonical(at.base.value)) : undefined;
      if (twin !== undefined) {
        renamed.add(twin);
        const now = { base: at.base, revision: child(pair.revision, twin) };
        comparison.report("schema-renamed", now, `The schema \`${name}\` became \`${twin}\`.`);
      } else if (!renamed.has(name)) {
        const isLeft = at.revision.value === undefined && leftAsVariant(comparison, at.base);
        isOneSided(comparison, at, "schema", "schema-added", isLeft ? "schema-left" : "schema-removed");
      }
    }
  });
  for (const name of keysOf(pair)) {
    const at = childPair(pair, name);
    if (
      at.base.value === undefined ||
      at.revision.value === undefined ||
      same(at.base.value, at.revision.value) ||
      comparison.met(at)
    )
      continue;
    for (const role of ["send", "read"] as const) comparison.as(role, () => compareSchema(comparison, at));
  }
}

/** Compares shared components. Those that operations use were compared there; the others are unused. */
export function compareComponents(comparison: Comparison, pair: Pair): void {
  for (const section of keysOf(pair)) {
    const list = childPair(pair, section);
    const sides = [list.base.value, list.revision.value];
    if (!sides.every((value) => value === undefined || isObject(value))) comparison.exhaust(list, () => undefined);
    else if (section === "schemas") compareSchemas(comparison, list);
    else {
      const kind = section === "examples" ? "example-changed" : "unused-changed";
      for (const name of keysOf(list)) {
        const at = childPair(list, name);
        if (same(at.base.value, at.revision.value) || comparison.met(at)) continue;
        comparison.report(kind, at, `The component ${happened(at)}.`);
      }
    }
  }
}
