import { collectUses } from "./collect.ts";
import { readProject } from "./project.ts";
import type { Uses } from "./uses.ts";

/**
 * What the program of a `tsconfig.json` uses. Places are relative to `from`, by default the current folder.
 *
 * @throws {@link ProjectError} where the program cannot be read.
 */
export function usesOf(tsconfig: string, from: string = process.cwd()): Uses {
  const { program, files } = readProject(tsconfig);
  return collectUses(program, files, from);
}
