import { isObject, type JsonObject } from "@trainyard/core/validation";
import { dialect } from "./dialect.ts";

/** Keywords that only people read. */
const { basis, rules, cure } = dialect;
const prose: ReadonlySet<string> = new Set(["description", "externalDocs", basis.key, rules.key, cure.key]);

/** The keys of these objects are names, not keywords. */
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
 * Returns a bundle without prose: descriptions, bases, rules, and all examples but those of errors, whose text hosts use in
 * their own errors. Serving and validation do not change.
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

interface Context {
  readonly isNamed: boolean;
  /** Whether this is part of an error response. */
  readonly isError: boolean;
}

function copy(node: object, { isNamed, isError }: Context): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(node)) {
    if (!isNamed && prose.has(key)) continue;
    const isExample = !isNamed && (key === "example" || key === "examples");
    // Examples of components are kept if something refers to them.
    const isShared = isExample && isObject(value) && "responses" in node;
    if (isExample && !isError && !isShared) continue;
    // Shared responses are those of errors.
    const isFailure = isNamed ? /^[45]\d\d$/.test(key) : key === "responses" && "schemas" in node;
    const next = { isNamed: !isNamed && named.has(key), isError: isError || isFailure };
    kept[key] = isExample ? value : copyValue(value, next);
  }
  return kept;
}

function copyValue(value: unknown, context: Context): unknown {
  if (Array.isArray(value)) return value.map((item) => copyValue(item, { ...context, isNamed: false }));
  return isObject(value) ? copy(value, context) : value;
}
