/**
 * Lists which operations and fields of the services a program uses, according to the TypeScript compiler.
 *
 * @module
 */
import { dirname, resolve, sep } from "node:path";
import ts from "typescript";
import { collectUses } from "./collect.ts";
import type { Uses } from "./uses.ts";

export type { Locations, ServiceUses, Uses } from "./uses.ts";

/** The program cannot be read. The message says why, and how to fix it. */
export class ProjectError extends Error {
  override readonly name = "ProjectError";
}

/**
 * Lists what the program of a `tsconfig.json` uses. Locations are relative to `from`, by default the current folder.
 *
 * @throws {@link ProjectError} if the program cannot be read.
 */
export function usesOf(tsconfig: string, from: string = process.cwd()): Uses {
  const path = resolve(tsconfig);
  const { config, error } = ts.readConfigFile(path, (name) => ts.sys.readFile(name));
  if (error !== undefined) {
    throw new ProjectError(`${tsconfig} cannot be read: ${ts.flattenDiagnosticMessageText(error.messageText, "\n")}`);
  }
  const folder = dirname(path);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder, undefined, path);
  if (fileNames.length === 0) throw new ProjectError(`${tsconfig} includes no file. Fix its \`include\`.`);
  const program = ts.createProgram(fileNames, { ...options, noEmit: true });
  const named = new Set(fileNames.map((name) => resolve(name)));
  // Its own files, without those of dependencies.
  const files = program.getSourceFiles().filter(({ fileName, isDeclarationFile }) => {
    const own = resolve(fileName);
    const isHere = named.has(own) || own.startsWith(folder + sep);
    return !isDeclarationFile && isHere && !own.includes(`${sep}node_modules${sep}`);
  });
  return collectUses(program, files, from);
}
