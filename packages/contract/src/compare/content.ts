import type { Comparison, Pair } from "../comparison.ts";
import { extensionRules } from "./extensions.ts";
import { type Rules, annotation, compareKeys, isOneSided, membersOf, passage } from "./keys.ts";
import { compareSchema } from "./schema.ts";

const rules: Rules = {
  example: annotation("example-changed"),
  examples: annotation("example-changed"),
  encoding: passage("`encoding`", "encoding-changed"),
  ...extensionRules,
};

/** Compares the media types of a body, and the schema of each. */
export function compareContent(comparison: Comparison, pair: Pair): void {
  comparison.exhaust(
    pair,
    () => {
      for (const { name, at } of membersOf(pair, mediaType)) {
        if (isOneSided(comparison, at, `media type \`${name}\``, "media-type-added", "media-type-removed")) continue;
        compareKeys(comparison, at, { rules, into: { schema: compareSchema } });
      }
    },
    "rewritten",
  );
}

/** A media type without the charset, which JSON does not have; its other parameters and their order matter. */
function mediaType(written: string): string {
  const [type = "", ...parameters] = written.split(";").map((part) => part.trim());
  return [type.toLowerCase(), ...parameters.filter((one) => !/^charset=/i.test(one))].join(";");
}
