import type { Comparison, Pair } from "../comparison.ts";
import type { Spot } from "../document.ts";
import { isObject, same } from "../json.ts";
import { childPair, keysOf } from "./keys.ts";
import { compareSchema } from "./schema.ts";
import { type Views, keyword } from "./view.ts";

export const objectKeys: ReadonlySet<string> = new Set(["properties", "required", "additionalProperties"]);

/** Compares the properties of two objects: which there are, which are required, and whether others may come. */
export function compareObject(comparison: Comparison, pair: Pair, views: Views): void {
  const properties = keyword(pair, views, "properties");
  const required = keyword(pair, views, "required");
  const others = keyword(pair, views, "additionalProperties");
  const names = new Set([...keysOf(properties), ...listed(required.base), ...listed(required.revision)]);
  for (const name of names) compareProperty(comparison, childPair(properties, name), name, required, others.base);
  const [before, now] = [listed(required.base), listed(required.revision)];
  if (before.length === now.length && now.every((name) => before.includes(name)) && !same(before, now)) {
    comparison.report("rewritten", required, "The required properties stand in another order.");
  }
  comparison.exhaust(others, () => compareOthers(comparison, others));
}

function listed({ value }: Spot): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

function compareProperty(comparison: Comparison, pair: Pair, name: string, required: Pair, others: Spot): void {
  const was = listed(required.base).includes(name);
  const is = listed(required.revision).includes(name);
  if (pair.base.value === undefined && !was) {
    const kind = is
      ? "property-added-required"
      : others.value === false
        ? "property-added-to-closed"
        : "property-added";
    comparison.report(kind, pair, `The ${is ? "required" : "optional"} property \`${name}\` was added.`);
    // What was sent or read under this name before had to fit the schema of the other properties.
    if (isObject(others.value)) compareSchema(comparison, { base: others, revision: pair.revision });
    return;
  }
  if (pair.revision.value === undefined && !is) {
    comparison.about(pair.base, () =>
      comparison.report("property-removed", pair, `The property \`${name}\` was removed.`),
    );
    return;
  }
  if (is && !was) comparison.report("property-required", pair, `The property \`${name}\` was made required.`);
  if (was && !is) {
    comparison.about(pair.base, () =>
      comparison.report("property-optional", pair, `The property \`${name}\` was made optional.`),
    );
  }
  compareSchema(comparison, pair);
}

/** How much `additionalProperties` lets pass: nothing, what fits a schema, anything. */
function openness({ value }: Spot): number {
  if (value === false) return 0;
  return isObject(value) && Object.keys(value).length > 0 ? 1 : 2;
}

function compareOthers(comparison: Comparison, pair: Pair): void {
  const was = openness(pair.base);
  const is = openness(pair.revision);
  if (was === 1 && is === 1) return compareSchema(comparison, pair);
  if (is < was) return comparison.report("properties-closed", pair, `Other properties ${refused[is]}.`);
  if (is > was) return comparison.report("properties-opened", pair, `Other properties ${allowed[is]}.`);
  comparison.exhaust(pair, () => undefined, "rewritten");
}

const refused = ["are no longer allowed", "must now fit a schema"];
const allowed = ["", "are now allowed where they fit a schema", "may now have any value"];
