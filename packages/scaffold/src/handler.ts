import ts from "typescript";
import type { Plan } from "./plan.ts";

/**
 * Plans a new operation's handler in the local server, where it has the service at all: it answers with an example of the
 * document, and whoever writes the real one replaces it.
 */
export function planHandler(plan: Plan, service: string, method: string): void {
  const file = `packages/server/src/handlers/${service}.ts`;
  if (!plan.has(file)) return;
  plan.edit(file, (text) => withHandler(text, service, method));
  plan.tell(`The local server answers ${method} by example: write its handler in ${file}.`);
}

/** Text to put into a file, at an offset. */
type Insertion = readonly [at: number, text: string];

/** A file with one handler more, last in the record that a function returns as `Handlers<"service">`. */
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

/** The object that is returned by the function whose type is `Handlers<"service">`. */
function recordOf(source: ts.SourceFile, service: string): ts.ObjectLiteralExpression | undefined {
  for (const statement of source.statements) {
    if (!ts.isFunctionDeclaration(statement) || statement.type === undefined) continue;
    if (statement.type.getText(source) !== `Handlers<"${service}">`) continue;
    const returned = statement.body?.statements.findLast((one) => ts.isReturnStatement(one))?.expression;
    if (returned !== undefined && ts.isObjectLiteralExpression(returned)) return returned;
  }
  return undefined;
}

/** `byExample` among what is imported from the host; nothing where it is there. */
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
