import { relative, sep } from "node:path";
import ts from "typescript";
import { type Contract, findContract } from "./contract.ts";
import { fieldOf, typeOf } from "./field.ts";
import { type Kind, Ledger, type Uses } from "./uses.ts";
import { Writes } from "./writes.ts";

/** Lists what the given files of a program use. Locations are relative to `from`. */
export function collectUses(program: ts.Program, files: readonly ts.SourceFile[], from: string): Uses {
  const checker = program.getTypeChecker();
  const contract = findContract(program);
  const ledger = new Ledger();
  for (const { service, contractVersion } of contract.clients) {
    if (contractVersion !== undefined) ledger.service(service).contractVersion = contractVersion;
  }
  const locationOf = (node: ts.Node): string => {
    const file = node.getSourceFile();
    const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
    return `${relative(from, file.fileName).split(sep).join("/")}:${line}`;
  };
  const own = new Set(files);
  const mark = (kind: Kind, declarations: readonly ts.Node[] | undefined, at: ts.Node): void => {
    if (!own.has(at.getSourceFile())) return;
    for (const declaration of declarations ?? []) {
      const found = kind === "types" ? typeOf(contract, declaration) : fieldOf(contract, declaration);
      if (found !== undefined) ledger.add(found.client.service, kind, found.name, locationOf(at));
    }
  };
  const writes = new Writes(checker, (declaration, at) => mark("sent", [declaration], at));

  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      for (const { service, operation } of callsOf(checker, contract, node)) {
        ledger.add(service, "operations", operation, locationOf(node));
      }
      for (const { given, expected } of sentByPath(checker, contract, node)) writes.pair(given, expected, node);
    }
    if (ts.isExpression(node) && !ts.isLiteralExpression(node)) writes.expression(node);
    if (ts.isPropertyAccessExpression(node)) {
      const symbol = checker.getSymbolAtLocation(node.name);
      for (const kind of directions(node)) mark(kind, symbol?.declarations, node.name);
    }
    if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
      const symbol = property(checker, checker.getTypeAtLocation(node.expression), node.argumentExpression.text);
      for (const kind of directions(node)) mark(kind, symbol?.declarations, node.argumentExpression);
    }
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      const name = node.propertyName ?? node.name;
      const from = checker.getTypeAtLocation(node.parent);
      if (ts.isIdentifier(name)) mark("read", property(checker, from, name.text)?.declarations, node);
    }
    if (ts.isImportSpecifier(node) || ts.isTypeReferenceNode(node)) {
      const symbol = checker.getSymbolAtLocation(ts.isImportSpecifier(node) ? node.name : node.typeName);
      mark("types", (symbol && aliased(checker, symbol))?.declarations, node);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of files) visit(file);
  return ledger.finish();
}

const verbs = new Set(["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"]);

/** The operations that a call may reach: by a client's method, or by verb and path through `http`. */
function callsOf(
  checker: ts.TypeChecker,
  { methods, clients }: Contract,
  call: ts.CallExpression,
): { service: string; operation: string }[] {
  const declaration = checker.getResolvedSignature(call)?.declaration;
  const method = declaration && methods.get(declaration);
  if (method !== undefined)
    return method.operations.map((operation) => ({ service: method.client.service, operation }));
  const [verb, path] = pathOf(call);
  return clients.flatMap(({ service, paths }) => {
    const operation = paths.get(`${verb} ${path}`);
    return operation === undefined ? [] : [{ service, operation }];
  });
}

/** The verb and the path of a call such as `http.POST("/v1/preview/models", …)`. */
function pathOf({ expression, arguments: [path] }: ts.CallExpression): [verb: string, path: string] | [] {
  if (path === undefined || !ts.isStringLiteralLike(path) || !ts.isPropertyAccessExpression(expression)) return [];
  return verbs.has(expression.name.text) ? [expression.name.text, path.text] : [];
}

/**
 * Pairs the arguments of a call by path with the types that the document expects. The parameter types of `openapi-fetch`
 * cannot be used, because they are inferred from the call, and new for each body.
 */
function sentByPath(
  checker: ts.TypeChecker,
  { clients }: Contract,
  call: ts.CallExpression,
): { given: ts.Type; expected: ts.Type }[] {
  const [verb, path] = pathOf(call);
  const init = call.arguments[1];
  if (verb === undefined || path === undefined || init === undefined) return [];
  const below = (type: ts.Type | undefined, ...keys: string[]): ts.Type | undefined =>
    keys.reduce<ts.Type | undefined>((at, key) => {
      const symbol = at && property(checker, at, key);
      return symbol && checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(symbol, call));
    }, type);
  const sent = checker.getTypeAtLocation(init);
  return clients.flatMap(({ pathsType }) => {
    const operation = below(pathsType, path, verb.toLowerCase());
    return [
      { given: below(sent, "body"), expected: below(operation, "requestBody", "content", "application/json") },
      { given: below(sent, "params"), expected: below(operation, "parameters") },
    ].filter((one): one is { given: ts.Type; expected: ts.Type } => !!one.given && !!one.expected);
  });
}

/** Whether an expression reads or writes a field, or both. */
function directions(node: ts.Expression): ("sent" | "read")[] {
  const { parent } = node;
  if (ts.isNonNullExpression(parent) || ts.isParenthesizedExpression(parent)) return directions(parent);
  if (ts.isPostfixUnaryExpression(parent)) return ["sent", "read"];
  if (!ts.isBinaryExpression(parent) || parent.left !== node) return ["read"];
  const operator = parent.operatorToken.kind;
  if (operator === ts.SyntaxKind.EqualsToken) return ["sent"];
  const assigns = operator >= ts.SyntaxKind.FirstAssignment && operator <= ts.SyntaxKind.LastAssignment;
  return assigns ? ["sent", "read"] : ["read"];
}

function property(checker: ts.TypeChecker, type: ts.Type, name: string): ts.Symbol | undefined {
  return checker.getPropertyOfType(checker.getNonNullableType(type), name);
}

function aliased(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}
