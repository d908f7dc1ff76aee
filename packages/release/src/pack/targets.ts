import { posix } from "node:path";
import type { Manifest } from "../lib/workspace.ts";

/** A file that a manifest refers to, and the field that does. */
export interface Target {
  /** `exports["."]["types"]`. */
  readonly location: string;
  /** `dist/index.d.ts`. */
  readonly path: string;
}

/** Every file that a manifest refers to. */
export function targetsOf({ exports, bin, main, types }: Manifest): Target[] {
  return Object.entries({ exports, bin, main, types })
    .flatMap(([location, value]) => leaves(location, value))
    .map(({ location, path }) => ({ location, path: posix.normalize(path) }));
}

function leaves(location: string, value: unknown): Target[] {
  if (typeof value === "string") return [{ location, path: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => leaves(`${location}["${key}"]`, inner));
}

/** Output of an earlier build whose source was deleted or renamed: a build only adds files. */
export function staleFiles(manifest: Manifest, paths: readonly string[]): string[] {
  const targets = new Set(targetsOf(manifest).map(({ path }) => path));
  const all = new Set(paths);
  return paths.filter((path) => {
    const source = /^dist\/(.*?)(?:\.d)?\.(?:js|ts)$/.exec(path)?.[1];
    return source !== undefined && !targets.has(path) && !all.has(`src/${source}.ts`);
  });
}
