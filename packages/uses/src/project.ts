import { dirname, resolve, sep } from "node:path";
import ts from "typescript";

/** The program cannot be read. The message says why, and how to fix it. */
export class ProjectError extends Error {
  override readonly name = "ProjectError";
}

/** A program, and its own files without those of dependencies. */
export interface Project {
  readonly program: ts.Program;
  readonly files: readonly ts.SourceFile[];
}

/** Reads the program of a `tsconfig.json`. @throws {@link ProjectError} if there is none. */
export function readProject(tsconfig: string): Project {
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
  const files = program.getSourceFiles().filter(({ fileName, isDeclarationFile }) => {
    const own = resolve(fileName);
    return (
      !isDeclarationFile &&
      (named.has(own) || own.startsWith(folder + sep)) &&
      !own.includes(`${sep}node_modules${sep}`)
    );
  });
  return { program, files };
}
