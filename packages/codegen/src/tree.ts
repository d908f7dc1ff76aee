import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** The texts of the documents' files by their path from the root, with `/`. */
export type Tree = ReadonlyMap<string, string>;

/** Reads every YAML file under `openapi/`. A file that goes while it is read counts as gone. */
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
 * The files that a service's documents lead to, also those that are not there. Every name of a YAML file counts, in a
 * `$ref` or elsewhere: a file too many costs a second, one too few a document that does not follow.
 */
export function reach(tree: Tree, service: string): ReadonlySet<string> {
  const found = new Set([`openapi/${service}/openapi.yaml`]);
  for (const file of found) {
    for (const [name] of tree.get(file)?.matchAll(/[^\s"'#,:{}[\]]+\.yaml/g) ?? []) {
      found.add(posix.join(posix.dirname(file), name));
    }
  }
  return found;
}
