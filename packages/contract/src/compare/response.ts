import type { Comparison, Pair } from "../comparison.ts";
import { type DocumentNode, child, children } from "../document.ts";
import { isObject, same } from "../json.ts";
import { compareContent } from "./content.ts";
import { followed } from "./followed.ts";
import { type Rules, childPair, compareKeys, happened, keysOf, truth } from "./keys.ts";
import { isRewritten, writing } from "./parameter.ts";
import { annotations } from "./annotations.ts";
import { compareSchema } from "./schema.ts";

/** Compares the responses of an operation, by status. */
export function compareResponses(comparison: Comparison, pair: Pair): void {
  for (const status of keysOf(pair)) {
    const at = childPair(pair, status);
    const isError = !/^[123]/.test(status);
    comparison.as(isError ? "error" : "read", () => {
      if (at.base.value === undefined) {
        comparison.report(isError ? "error-added" : "result-added", at, `The answer ${status} was added.`);
      } else if (at.revision.value === undefined) {
        const kind = isError ? "error-removed" : "response-removed";
        comparison.about(at.base, () => comparison.report(kind, at, `The answer ${status} was removed.`));
      } else {
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
      }
    });
  }
}

/** Links are only hints about possible next calls. */
function compareLinks(comparison: Comparison, pair: Pair): void {
  for (const name of keysOf(pair)) {
    const at = childPair(pair, name);
    if (same(at.base.value, at.revision.value)) continue;
    const kind =
      at.base.value === undefined ? "link-added" : at.revision.value === undefined ? "link-removed" : "link-changed";
    comparison.report(kind, at, `The link \`${name}\` ${happened(at)}.`);
  }
}

const headerRules: Rules = {
  ...annotations,
  ...writing,
  required: truth("header-required", "header-optional", "always there"),
};

function compareHeaders(comparison: Comparison, pair: Pair): void {
  for (const { name, at } of headers(pair)) {
    if (at.base.value === undefined) comparison.report("header-added", at, `The header \`${name}\` was added.`);
    else if (at.revision.value === undefined) {
      comparison.about(at.base, () => comparison.report("header-removed", at, `The header \`${name}\` was removed.`));
    } else {
      followed(comparison, at, (header) => {
        const rewritten = isRewritten(header);
        if (rewritten) comparison.report("parameter-serialized", header, "It is serialized by other rules.");
        compareKeys(comparison, header, {
          rules: headerRules,
          into: { schema: compareSchema, content: compareContent },
          skip: rewritten ? ["schema", "content"] : [],
        });
      });
    }
  }
}

/** Headers by name, which ignores case. */
function headers(pair: Pair): { readonly name: string; readonly at: Pair }[] {
  const find = (node: DocumentNode, name: string): DocumentNode =>
    children(node).find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1] ?? child(node, name);
  const names = new Map(keysOf(pair).map((name) => [name.toLowerCase(), name]));
  return [...names.values()].map((name) => ({
    name,
    at: { base: find(pair.base, name), revision: find(pair.revision, name) },
  }));
}

/** Compares the body of a request. */
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
