import { same } from "@trainyard/document";
import type { Change } from "../change.ts";
import { Comparison, sides, type Pair } from "../comparison.ts";
import { Document } from "../document.ts";
import { text } from "../json.ts";
import { compareComponents } from "./components.ts";
import { compareWebhooks } from "./callbacks.ts";
import { compareForeignKeys, withoutForeignKeys } from "./foreign-keys.ts";
import { became, childPair, compareKeys, happened, keysOf, annotation } from "./keys.ts";
import { comparePaths } from "./paths.ts";
import { compareServers } from "./servers.ts";
import { annotations } from "./annotations.ts";

/** Compares two bundles of a service. The result contains every difference; equal bundles have none. */
export function compare(before: Document, now: Document): Change[] {
  const plain = { base: withoutForeignKeys(before), revision: withoutForeignKeys(now) };
  const comparison = new Comparison(plain.base.document, plain.revision.document);
  const at = (pointer: string): Pair => sides((side) => comparison[side].at(pointer));
  comparePaths(comparison);
  compareKeys(comparison, at(""), {
    rules: {
      ...annotations,
      tags: annotation("tag-changed"),
      openapi: (_, pair) => comparison.report("info-changed", pair, became(pair, "`openapi`")),
      jsonSchemaDialect: (_, pair) => {
        const alike = [pair.base, pair.revision].every(({ value }) => dialects.has(text(value ?? "")));
        comparison.report(alike ? "rewritten" : "dialect-changed", pair, became(pair, "`jsonSchemaDialect`"));
      },
      // Operations without their own list were compared with it.
      security: (_, pair) =>
        comparison.report("rewritten", pair, "The credentials that operations take by default changed."),
    },
    into: { servers: compareServers, webhooks: compareWebhooks },
    skip: ["info", "paths", "components"],
  });
  compareInfo(comparison, at("/info"));
  compareComponents(comparison, at("/components"));
  compareForeignKeys(comparison, plain);
  return comparison.changes();
}

/** A document without a dialect uses the last of these, which adds no rule to the first. */
const dialects: ReadonlySet<string> = new Set([
  "",
  "https://json-schema.org/draft/2020-12/schema",
  "https://spec.openapis.org/oas/3.1/dialect/base",
]);

/** The document's own metadata. Its version is not a change, but the result of changes. */
function compareInfo(comparison: Comparison, pair: Pair): void {
  for (const key of keysOf(pair)) {
    const below = childPair(pair, key);
    if (key === "version" || same(below.base.value, below.revision.value)) continue;
    comparison.report("info-changed", below, `\`${key}\` ${happened(below)}.`);
  }
}

/** {@link compare} for a service that may be new, or removed: then each of its operations and webhooks is. */
export function compareWhole(service: string, base: Document | undefined, revision: Document | undefined): Change[] {
  if (base !== undefined) return compare(base, revision ?? withoutOperations(base));
  if (revision === undefined) return [];
  const comparison = new Comparison(revision, revision);
  const pair = { base: { value: undefined, pointer: "" }, revision: revision.at("") };
  comparison.report("service-added", pair, `The service ${service} was added.`);
  return comparison.changes();
}

function withoutOperations({ service, root }: Document): Document {
  const { paths: _paths, webhooks: _webhooks, ...rest } = root;
  return new Document(service, rest);
}
