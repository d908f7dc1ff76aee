import ts from "typescript";
import type { Plan } from "./plan.ts";

/**
 * Plans the handler of a new operation in the local server, if the server has the service: it returns an example of the
 * document until somebody writes the real one.
 */
export function planHandler(plan: Plan, service: string, method: string): void {
  const file = `packages/server/src/handlers/${service}.ts`;
  if (!plan.has(file)) return;
  plan.edit(file, (text) => withHandler(text, service, method));
  plan.note(`The local server returns an example for ${method}. Write its handler in ${file}.`);
}

/** Text to insert into a file, at an offset. */
type Insertion = readonly [at: number, text: string];

/** A file with one more handler, at the end of the object that a function returns as `Handlers<"service">`. */
function withHandler(text: string, service: string, method: string): string {
  const source = ts.createSourceFile("handlers.ts", text, ts.ScriptTarget.Latest, true);
  const record = recordOf(source, service);
  if (record === undefined) return text;
  const end = record.properties.at(-1)?.end ?? record.getStart() + 1;
  const comma = record.properties.hasTrailingComma || record.properties.length === 0 ? "" : ",";
  const behind = record.properties.hasTrailingComma ? end + 1 : end;
  const handler: Insertion = [behind, `${comma}\n    "${method}": byExample,`];
  return [handler, importOf(source)]
    .filter((insertion) => insertion !== undefined)
    .toSorted(([a], [b]) => b - a)
    .reduce((whole, [at, part]) => whole.slice(0, at) + part + whole.slice(at), text);
}

/** The object that the function with the return type `Handlers<"service">` returns. */
function recordOf(source: ts.SourceFile, service: string): ts.ObjectLiteralExpression | undefined {
  for (const statement of source.statements) {
    if (!ts.isFunctionDeclaration(statement) || statement.type === undefined) continue;
    if (statement.type.getText(source) !== `Handlers<"${service}">`) continue;
    const returned = statement.body?.statements.findLast((one) => ts.isReturnStatement(one))?.expression;
    if (returned !== undefined && ts.isObjectLiteralExpression(returned)) return returned;
  }
  return undefined;
}

/** Imports `byExample` from the host, unless it is imported already. */
function importOf(source: ts.SourceFile): Insertion | undefined {
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    if (statement.moduleSpecifier.text !== "@trainyard/host" || statement.importClause?.isTypeOnly) continue;
    const names = statement.importClause?.namedBindings;
    if (names === undefined || !ts.isNamedImports(names)) continue;
    if (names.elements.some(({ name }) => name.text === "byExample")) return undefined;
    return [names.getStart(source) + 1, " byExample,"];
  }
  return [0, `import { byExample } from "@trainyard/host";\n`];
}
