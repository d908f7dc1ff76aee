import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** The contents of the documents' files by path from the root, with `/`. */
export type Tree = ReadonlyMap<string, string>;

/** Every folder of `openapi/` with an `openapi.yaml`. */
export function findServices(root: string): string[] {
  const folder = join(root, "openapi");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => existsSync(join(root, sourceOf(name)))).toSorted();
}

/** The document of a service, relative to the root. */
export function sourceOf(service: string): string {
  return `openapi/${service}/openapi.yaml`;
}

/** Reads every YAML file under `openapi/`. A file that is removed meanwhile counts as missing. */
export function readTree(root: string): Tree {
  const folder = join(root, "openapi");
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => `openapi/${file.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(".yaml"))
    .toSorted();
  return new Map(
    files.flatMap((file): [string, string][] => {
      try {
        return [[file, readFileSync(join(root, file), "utf8")]];
      } catch {
        return [];
      }
    }),
  );
}

/**
 * The files that a service's documents refer to, including missing ones. Every name of a YAML file counts, in a `$ref` or
 * elsewhere: one file too many costs a second, one too few leaves a document stale.
 */
export function reach(tree: Tree, service: string): ReadonlySet<string> {
  const found = new Set([sourceOf(service)]);
  for (const file of found) {
    for (const [name] of tree.get(file)?.matchAll(/[^\s"'#,:{}[\]]+\.yaml/g) ?? []) {
      found.add(posix.join(posix.dirname(file), name));
    }
  }
  return found;
}
