import { isObject, type JsonObject } from "@trainyard/core/validation";
import { dialect } from "./dialect.ts";

/** What only people read. */
const prose: ReadonlySet<string> = new Set(["description", "externalDocs", dialect.basis.key, dialect.rules.key]);

/** Under these keys stand names that somebody chose. */
const named: ReadonlySet<string> = new Set([
  "properties",
  "$defs",
  "paths",
  "responses",
  "headers",
  "schemas",
  "variables",
  "mapping",
  "securitySchemes",
]);

/**
 * A bundle without what only people read: descriptions, bases, rules, and the examples of everything but errors, in whose words
 * a host refuses. It is served and judged as before.
 */
export function withoutProse(bundle: object): object {
  const kept = copy(bundle, { isNamed: false, isError: false });
  const { components } = kept;
  if (!isObject(components) || !isObject(components["examples"])) return kept;
  const text = JSON.stringify(kept);
  const used = Object.entries(components["examples"]).filter(([name]) =>
    text.includes(`#/components/examples/${name}"`),
  );
  return { ...kept, components: { ...components, examples: Object.fromEntries(used) } };
}

interface Place {
  readonly isNamed: boolean;
  /** Whether it is part of the answer to a request that failed. */
  readonly isError: boolean;
}

function copy(node: object, { isNamed, isError }: Place): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(node)) {
    if (!isNamed && prose.has(key)) continue;
    const isExample = !isNamed && (key === "example" || key === "examples");
    // Those of the components have names, and are kept where somebody refers to them.
    const isShared = isExample && isObject(value) && "responses" in node;
    if (isExample && !isError && !isShared) continue;
    // Responses that are shared are those of failures.
    const isFailure = isNamed ? /^[45]\d\d$/.test(key) : key === "responses" && "schemas" in node;
    const next = { isNamed: !isNamed && named.has(key), isError: isError || isFailure };
    kept[key] = isExample ? value : copyValue(value, next);
  }
  return kept;
}

function copyValue(value: unknown, place: Place): unknown {
  if (Array.isArray(value)) return value.map((item) => copyValue(item, { ...place, isNamed: false }));
  return isObject(value) ? copy(value, place) : value;
}
