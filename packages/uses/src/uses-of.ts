import { collectUses } from "./collect.ts";
import { readProject } from "./project.ts";
import type { Uses } from "./uses.ts";

/**
 * Lists what the program of a `tsconfig.json` uses. Locations are relative to `from`, by default the current folder.
 *
 * @throws {@link ProjectError} if the program cannot be read.
 */
export function usesOf(tsconfig: string, from: string = process.cwd()): Uses {
  const { program, files } = readProject(tsconfig);
  return collectUses(program, files, from);
}
