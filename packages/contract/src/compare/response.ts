import { same } from "@trainyard/document";
import type { Comparison, Pair } from "../comparison.ts";
import { isObject } from "@trainyard/core/validation";
import { compareContent } from "./content.ts";
import { type Rules, childPair, compareKeys, followed, isOneSided, keysOf, membersOf, truth } from "./keys.ts";
import { compareValue, writing } from "./parameter.ts";
import { annotations } from "./annotations.ts";

/** Compares the responses of an operation, by status. */
export function compareResponses(comparison: Comparison, pair: Pair): void {
  for (const status of keysOf(pair)) {
    const at = childPair(pair, status);
    const isError = !/^[123]/.test(status);
    comparison.as(isError ? "error" : "read", () => {
      const name = `answer ${status}`;
      const isOnly = isError
        ? isOneSided(comparison, at, name, "error-added", "error-removed")
        : isOneSided(comparison, at, name, "result-added", "response-removed");
      if (isOnly) return;
      followed(comparison, at, (response) =>
        compareKeys(comparison, response, {
          rules: annotations,
          into: {
            headers: (_, below) => comparison.exhaust(below, () => compareHeaders(comparison, below), "rewritten"),
            content: compareContent,
            links: compareLinks,
          },
        }),
      );
    });
  }
}

/** Links are only hints about possible next calls. */
function compareLinks(comparison: Comparison, pair: Pair): void {
  for (const name of keysOf(pair)) {
    const at = childPair(pair, name);
    if (same(at.base.value, at.revision.value)) continue;
    if (!isOneSided(comparison, at, `link \`${name}\``, "link-added", "link-removed"))
      comparison.report("link-changed", at, `The link \`${name}\` changed.`);
  }
}

const headerRules: Rules = {
  ...annotations,
  ...writing,
  required: truth("header-required", "header-optional", "always there"),
};

function compareHeaders(comparison: Comparison, pair: Pair): void {
  for (const { name, at } of membersOf(pair, (header) => header.toLowerCase())) {
    if (isOneSided(comparison, at, `header \`${name}\``, "header-added", "header-removed")) continue;
    followed(comparison, at, (header) => compareValue(comparison, header, headerRules));
  }
}

/** Compares the body of a request. */
export function compareBody(comparison: Comparison, pair: Pair): void {
  if (pair.base.value === undefined) {
    const { value } = comparison.revision.follow(pair.revision);
    const required = isObject(value) && value["required"] === true;
    const kind = required ? "body-added-required" : "body-added";
    return comparison.report(kind, pair, `${required ? "A required" : "An optional"} body was added.`);
  }
  if (pair.revision.value === undefined) return comparison.report("body-removed", pair, "The body was removed.");
  followed(comparison, pair, (body) =>
    compareKeys(comparison, body, {
      rules: { ...annotations, required: truth("body-required", "body-optional", "required") },
      into: { content: compareContent },
    }),
  );
}
