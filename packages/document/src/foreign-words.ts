import { isObject } from "@trainyard/core/validation";
import { dialect, dialectFault, extensions } from "./dialect.ts";
import { schemaKeywords } from "./schema/keywords.ts";

/** The keys of these objects are names, as those of every section of `components`. */
const named: ReadonlySet<string> = new Set([
  ...schemaKeywords.maps,
  "callbacks",
  "content",
  "dependentRequired",
  "encoding",
  "headers",
  "links",
  "mapping",
  "scopes",
  "security",
  "variables",
  "webhooks",
]);

/** Members whose values are data, not parts of the document. */
const data: ReadonlySet<string> = new Set(["example", "examples", "default", "const", "enum"]);

/**
 * A document without the `x-` keys that are taken. Names and data keep theirs. The document itself does not change: what has
 * none of these keys is returned as it is.
 *
 * @param take whether a key is taken; the path is that of its object, and changes after the call
 */
export function withoutKeys<Root extends object>(
  root: Root,
  take: (key: string, path: readonly (string | number)[]) => boolean,
): Root {
  const path: (string | number)[] = [];
  function below<Value>(key: string | number, value: Value, isNamed: boolean): Value {
    path.push(key);
    const bare = without(value, isNamed);
    path.pop();
    return bare;
  }
  function without<Value>(value: Value, isNamed: boolean): Value;
  function without(value: unknown, isNamed: boolean): unknown {
    if (Array.isArray(value)) {
      const bare = value.map((item, index) => below(index, item, isNamed));
      return bare.some((item, index) => item !== value[index]) ? bare : value;
    }
    if (!isObject(value)) return value;
    const changed = new Map<string, unknown>();
    const taken = new Set<string>();
    for (const [key, item] of Object.entries(value)) {
      const isKey = !isNamed && key.startsWith("x-");
      if (isKey && take(key, path)) taken.add(key);
      // The response named `default` is part of the document.
      if (isKey || (!isNamed && data.has(key) && path.at(-1) !== "responses")) continue;
      const isMap = named.has(key) || (path.length === 1 && path[0] === "components");
      const bare = below(key, item, !isNamed && isMap);
      if (bare !== item) changed.set(key, bare);
    }
    if (taken.size + changed.size === 0) return value;
    const kept = Object.entries(value).filter(([key]) => !taken.has(key));
    return Object.fromEntries(kept.map(([key, item]) => [key, changed.get(key) ?? item]));
  }
  return without(root, false);
}

const nothing: ReadonlySet<string> = new Set();

/** Documents without foreign words, which are read again and again while their types are written. */
const bare = new WeakSet<object>();

/**
 * A document without words that look like keys of the dialect: the document itself if its root says that it uses the dialect.
 *
 * @param more further keys that are then anybody's words
 * @throws Error if the number of its dialect is not known
 */
export function withoutForeignWords<Root extends object>(root: Root, more: ReadonlySet<string> = nothing): Root {
  const fault = dialectFault(root);
  if (fault !== undefined) throw new Error(`${fault.message} ${fault.cure}`);
  if (isObject(root) && dialect.version.read(root)) return root;
  if (more === nothing && bare.has(root)) return root;
  const made = withoutKeys(root, (key) => extensions.has(key) || more.has(key));
  bare.add(made);
  return made;
}
