import type { Comparison, Pair } from "../comparison.ts";
import { extensionRules } from "./extensions.ts";
import { type Rules, childPair, compareKeys, isOneSided, keysOf, passage, annotation } from "./keys.ts";
import { compareSchema } from "./schema.ts";

const rules: Rules = {
  example: annotation("example-changed"),
  examples: annotation("example-changed"),
  encoding: passage("`encoding`", "encoding-changed", "encoding-changed", "encoding-changed"),
  ...extensionRules,
};

/** Compares the media types of a body, and the schema of each. */
export function compareContent(comparison: Comparison, pair: Pair): void {
  for (const type of keysOf(pair)) {
    const media = childPair(pair, type);
    if (isOneSided(comparison, media, `media type \`${type}\``, "media-type-added", "media-type-removed")) continue;
    compareKeys(comparison, media, { rules, into: { schema: compareSchema } });
  }
}
