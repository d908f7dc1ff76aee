import { isObject } from "@trainyard/core/validation";
import { deriveMethods } from "./derive.ts";
import { withoutForeignWords } from "./foreign-words.ts";
import { operationKeys } from "./http-method.ts";
import type { Operation } from "./operation.ts";
import { locate, locateAll, textOf, type Located } from "./locate.ts";
import { readOperation } from "./read-operation.ts";

/** A bundled document. */
export interface Document {
  /** The bundle itself, not a copy; of a document that does not use the dialect, without the words that look like its keys. */
  readonly root: object;
  readonly title: string;
  readonly summary: string;
  readonly description: string;
  /** `info.version`. */
  readonly version: string;
  /** The address of the first server, with its variables replaced by their defaults. */
  readonly address: string;
  /** The base path of the first server, without a trailing slash: `/inference/v1`, or an empty string. */
  readonly prefix: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** In the order of the document. */
  readonly operations: readonly Operation[];
  /** The component schemas, by name. */
  readonly schemas: ReadonlyMap<string, Located>;
}

/** Reads a bundled document, which has only internal references. Missing parts are empty, because lint reports them. */
export function readDocument(bundle: object): Document {
  const root = withoutForeignWords(bundle);
  const info = locate(root, "#/info").node;
  const tags = locate(root, "#").node["tags"];
  return {
    root,
    title: textOf(info["title"]),
    summary: textOf(info["summary"]),
    description: textOf(info["description"]),
    version: textOf(info["version"]),
    address: readAddress(root),
    prefix: prefixOf(readAddress(root)),
    tags: (Array.isArray(tags) ? tags : []).filter(isObject).map((tag) => ({
      name: textOf(tag["name"]),
      description: textOf(tag["description"]),
    })),
    operations: readOperations(root),
    schemas: new Map(locateAll(root, locate(root, "#/components"), "schemas")),
  };
}

/** The operations of a bundle. Its `x-` keys count as ours. What does not begin with a slash is no path. */
export function readOperations(root: object): Operation[] {
  const paths = locateAll(root, locate(root, "#"), "paths").filter(([path]) => path.startsWith("/"));
  const all = paths.flatMap(([path, item]) =>
    operationKeys(item.node).map((key) => readOperation(root, item, key, path)),
  );
  const methods = deriveMethods(all);
  const ids = new Set<string>();
  const repeated = new Set(all.flatMap(({ id }) => (ids.has(id) ? id : (ids.add(id), []))));
  const named = all.map((operation) => {
    const { key, path, clientMethod } = operation;
    const { name, reason } = methods.get(operation) ?? { name: clientMethod };
    return {
      ...operation,
      id: repeated.has(operation.id) ? `${key} ${path}` : operation.id,
      name: name ?? operation.name,
      clientMethod: name,
      derived: [reason ?? [], operation.derived].flat(),
    };
  });
  const names = new Map(named.map(({ id, name }) => [id, name]));
  const aliases = new Map<string, string[]>();
  for (const { aliasOf, path } of named) {
    if (aliasOf !== undefined) aliases.set(aliasOf, [...(aliases.get(aliasOf) ?? []), path]);
  }
  return named.map((operation) => ({
    ...operation,
    name: names.get(operation.aliasOf ?? "") ?? operation.name,
    aliases: aliases.get(operation.id) ?? [],
  }));
}

function readAddress(root: object): string {
  const server = locate(root, "#/servers/0").node;
  const variables = isObject(server["variables"]) ? server["variables"] : {};
  return textOf(server["url"]).replace(/\{([^}]*)\}/g, (_, name) => {
    const variable = variables[name];
    return isObject(variable) ? textOf(variable["default"]) : "";
  });
}

function prefixOf(address: string): string {
  // The address may be relative, so resolve it against any host.
  const base = "http://document.invalid";
  return URL.canParse(address, base) ? new URL(address, base).pathname.replace(/\/+$/, "") : "";
}
