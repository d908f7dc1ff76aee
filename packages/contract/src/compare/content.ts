import type { Comparison, Pair } from "../comparison.ts";
import { extensionRules } from "./extensions.ts";
import { type Rules, childPair, compareKeys, keysOf, passage, annotation } from "./keys.ts";
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
    if (media.base.value === undefined)
      comparison.report("media-type-added", media, `The media type \`${type}\` was added.`);
    else if (media.revision.value === undefined) {
      comparison.report("media-type-removed", media, `The media type \`${type}\` was removed.`);
    } else compareKeys(comparison, media, { rules, into: { schema: compareSchema } });
  }
}
