import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/**
 * The names that `@trainyard/core` exports, including types: read from its source, because a module has no types at run
 * time.
 */
export function coreExports(
  entry: string = fileURLToPath(import.meta.resolve("@trainyard/core")),
): ReadonlySet<string> {
  const names = new Set<string>();
  collect(entry, names, new Set());
  return names;
}

function collect(file: string, names: Set<string>, seen: Set<string>): void {
  if (seen.has(file)) return;
  seen.add(file);
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, false);
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause, moduleSpecifier } = statement;
      if (exportClause === undefined && moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier)) {
        if (moduleSpecifier.text.startsWith(".")) collect(join(dirname(file), moduleSpecifier.text), names, seen);
      } else if (exportClause !== undefined && ts.isNamedExports(exportClause)) {
        for (const { name } of exportClause.elements) names.add(name.text);
      }
      continue;
    }
    if (!ts.canHaveModifiers(statement)) continue;
    const exported = ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (!exported) continue;
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) if (ts.isIdentifier(name)) names.add(name.text);
    } else if (isNamed(statement)) {
      names.add(statement.name.text);
    }
  }
}

function isNamed(statement: ts.Statement): statement is ts.Statement & { readonly name: ts.Identifier } {
  return (
    "name" in statement && typeof statement.name === "object" && statement.name !== null && "text" in statement.name
  );
}
