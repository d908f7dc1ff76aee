import type { Comparison, Pair } from "../comparison.ts";
import { isObject } from "../json.ts";
import { compareContent } from "./content.ts";
import { followed } from "./followed.ts";
import { type Rules, childPair, compareKeys, keysOf, truth } from "./keys.ts";
import { annotations } from "./annotations.ts";
import { compareSchema } from "./schema.ts";

/** Compares the answers of an operation, by status. */
export function compareResponses(comparison: Comparison, pair: Pair): void {
  for (const status of keysOf(pair)) {
    const at = childPair(pair, status);
    if (at.base.value === undefined) {
      const kind = /^[23]/.test(status) ? "result-added" : "error-added";
      comparison.report(kind, at, `The answer ${status} was added.`);
    } else if (at.revision.value === undefined) {
      comparison.about(at.base, () => comparison.report("response-removed", at, `The answer ${status} was removed.`));
    } else {
      followed(comparison, at, (response) =>
        compareKeys(comparison, response, {
          rules: annotations,
          into: { headers: compareHeaders, content: compareContent },
        }),
      );
    }
  }
}

const headerRules: Rules = {
  ...annotations,
  required: truth("header-required", "header-optional", "always there"),
};

function compareHeaders(comparison: Comparison, pair: Pair): void {
  for (const name of keysOf(pair)) {
    const at = childPair(pair, name);
    if (at.base.value === undefined) comparison.report("header-added", at, `The header \`${name}\` was added.`);
    else if (at.revision.value === undefined) {
      comparison.about(at.base, () => comparison.report("header-removed", at, `The header \`${name}\` was removed.`));
    } else {
      followed(comparison, at, (header) =>
        compareKeys(comparison, header, { rules: headerRules, into: { schema: compareSchema } }),
      );
    }
  }
}

/** Compares what an operation takes as its body. */
export function compareBody(comparison: Comparison, pair: Pair): void {
  if (pair.base.value === undefined) {
    const { value } = comparison.revision.follow(pair.revision);
    const required = isObject(value) && value["required"] === true;
    const kind = required ? "body-added-required" : "body-added";
    return comparison.report(kind, pair, `A ${required ? "required" : "optional"} body was added.`);
  }
  if (pair.revision.value === undefined) return comparison.report("body-removed", pair, "The body was removed.");
  followed(comparison, pair, (body) =>
    compareKeys(comparison, body, {
      rules: { ...annotations, required: truth("body-required", "body-optional", "required") },
      into: { content: compareContent },
    }),
  );
}
