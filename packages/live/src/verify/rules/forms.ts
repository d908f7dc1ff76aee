import { formatLoc, isObject, joinPointer } from "@trainyard/core/validation";
import { ownDescription } from "@trainyard/document";
import type { Breach } from "../report.ts";
import type { Value } from "../walk.ts";

const withOffset = /[Tt].*(?:[Zz]|[+-]\d\d:\d\d)$/;
/** The largest Unix time in seconds (the year 5138). Times in milliseconds since 1973 are larger. */
const mostSeconds = 1e11;

/** Checks values by their format, whatever their name: times, Unix times, lists of items with an id. */
export function judgeForm({ value, loc, schema }: Value, report: (breach: Breach) => void): void {
  const { node, pointer } = schema;
  const description = ownDescription(node);
  const path = formatLoc(loc).replaceAll(/\[\d+\]/g, "[]");
  if (node["format"] === "date-time" && typeof value === "string" && !withOffset.test(value))
    report({
      pointer,
      says: `\`${path}\`: a time in a response has an offset (RFC 3339), such as \`Z\`.`,
      seen: value,
    });
  if (/Unix time/.test(description) && typeof value === "number" && (value < 0 || value >= mostSeconds))
    report({ pointer, says: `\`${path}\`: ${description}`, seen: `${value}, which is not a time in seconds` });
  if (Array.isArray(value)) {
    const twice = twiceIn(value.filter(isObject).map((item) => item["id"]));
    if (twice !== undefined)
      report({
        pointer: joinPointer(pointer, "items"),
        says: `\`${path || "The list"}\`: each item has its own id.`,
        seen: `${twice} occurs twice`,
      });
    const isNames = /^The names\b/.test(description) || /^Names\b/.test(description);
    const name = isNames ? twiceIn(value) : undefined;
    if (name !== undefined)
      report({ pointer, says: `\`${path || "The list"}\`: ${description}`, seen: `${name} occurs twice` });
  }
}

/** A string that is in a list more than once. */
export function twiceIn(values: readonly unknown[]): string | undefined {
  const seen = new Set<unknown>();
  for (const value of values) {
    if (typeof value !== "string") continue;
    if (seen.has(value)) return value;
    seen.add(value);
  }
  return undefined;
}
