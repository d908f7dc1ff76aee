import { dirname, relative, resolve, sep } from "node:path";
import ts from "@trainyard/codegen/compiler";
import { Failure } from "../failure.ts";
import { type Called, type Contract, findContract } from "./contract.ts";
import { definedBy } from "./field.ts";
import { declarationsOf, isTarget, memberOf, namedAt } from "./names.ts";
import { type Use, type Uses, usesFrom } from "./uses.ts";
import { writesOf } from "./writes.ts";

/**
 * Lists what the program of a `tsconfig.json` uses. Locations are relative to `from`, by default the current folder.
 *
 * @throws {@link Failure} if the program cannot be read.
 */
export function usesOf(tsconfig: string, from: string = process.cwd()): Uses {
  const path = resolve(tsconfig);
  const { config, error } = ts.readConfigFile(path, (name) => ts.sys.readFile(name));
  if (error !== undefined) {
    throw new Failure(`${tsconfig} cannot be read: ${ts.flattenDiagnosticMessageText(error.messageText, "\n")}`);
  }
  const folder = dirname(path);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder, undefined, path);
  if (fileNames.length === 0) throw new Failure(`${tsconfig} includes no file. Fix its \`include\`.`);
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

/** Lists what the given files of a program use. Locations are relative to `from`. */
export function collectUses(program: ts.Program, files: readonly ts.SourceFile[], from: string): Uses {
  const checker = program.getTypeChecker();
  const contract = findContract(program);
  const uses: Use[] = [];
  const own = new Set(files);
  const add = (service: string, kind: Use[1], name: string, at: ts.Node): void => {
    const file = at.getSourceFile();
    const line = file.getLineAndCharacterOfPosition(at.getStart(file)).line + 1;
    if (own.has(file)) uses.push([service, kind, name, relative(from, file.fileName).split(sep).join("/"), line]);
  };
  const mark = (kind: Use[1], declaration: ts.Node, at: ts.Node): void => {
    const found = definedBy(contract, declaration);
    if (found !== undefined) add(found.service, kind, found.name, at);
  };
  const pair = writesOf(checker, (declaration, at) => mark("sent", declaration, at));
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      for (const [service, operation] of callsOf(checker, contract, node)) add(service, "operations", operation, node);
      for (const [given, expected] of sentByPath(checker, contract, node)) pair(given, expected, node);
    }
    const target = ts.isExpression(node) ? checker.getContextualType(node) : undefined;
    if (target !== undefined) pair(checker.getTypeAtLocation(node), target, node);
    for (const declaration of ts.isIdentifier(node) ? declarationsOf(checker, node) : [])
      for (const kind of ts.isPropertySignature(declaration) ? directions(node.parent) : (["types"] as const))
        mark(kind, declaration, node);
    for (const [names, object, at] of namedAt(checker, node)) {
      const of = checker.getNonNullableType(object);
      for (const declaration of names.flatMap((name) => of.getProperty(name)?.declarations ?? []))
        for (const kind of directions(node)) mark(kind, declaration, at);
    }
    // `getChildren` also leads to the types in the comments of a program in JavaScript.
    if ((node.flags & ts.NodeFlags.JavaScriptFile) === 0) ts.forEachChild(node, visit);
    else if (!ts.isJSDocLinkLike(node) && !ts.isJSDocNameReference(node)) node.getChildren().forEach(visit);
  };
  for (const file of files) visit(file);
  return usesFrom(uses, (service) => contract.clients.find((one) => one.service === service)?.contractVersion);
}

/** The operations that a call may reach: by a client's method, or by verb and path through `http`. */
function callsOf(checker: ts.TypeChecker, { methods, clients }: Contract, call: ts.CallExpression): readonly Called[] {
  const declaration = checker.getResolvedSignature(call)?.declaration;
  const place = pathOf(call).join(" ");
  return (
    (declaration && methods.get(declaration)) ??
    clients.flatMap(({ service, paths }) => [paths.get(place) ?? []].flat().map((name): Called => [service, name]))
  );
}

/** The verb and the path of a call such as `http.POST("/v1/preview/models", …)`. */
function pathOf({ expression, arguments: [path] }: ts.CallExpression): [verb: string, path: string] | [] {
  if (path === undefined || !ts.isStringLiteralLike(path) || !ts.isPropertyAccessExpression(expression)) return [];
  const verb = expression.name.text;
  return /^(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE)$/.test(verb) ? [verb, path.text] : [];
}

/**
 * Pairs the arguments of a call by path with the types that the document expects. The parameter types of `openapi-fetch`
 * cannot be used, because they are inferred from the call, and new for each body.
 */
function sentByPath(checker: ts.TypeChecker, { clients }: Contract, call: ts.CallExpression): [ts.Type, ts.Type][] {
  const [verb, path] = pathOf(call);
  const init = call.arguments[1];
  if (verb === undefined || path === undefined || init === undefined) return [];
  const sent = checker.getTypeAtLocation(init);
  return clients.flatMap(({ pathsType }) => {
    const operation = memberOf(checker, pathsType, path, verb.toLowerCase());
    const pairs = [
      [memberOf(checker, sent, "body"), memberOf(checker, operation, "requestBody", "content", "application/json")],
      [memberOf(checker, sent, "params"), memberOf(checker, operation, "parameters")],
    ] as const;
    return pairs.flatMap(([given, expected]): [ts.Type, ts.Type][] => (given && expected ? [[given, expected]] : []));
  });
}

/** Whether an expression reads or writes a field, or both. */
function directions(node: ts.Node): ("sent" | "read")[] {
  if (isTarget(node)) return ["sent"];
  const { parent } = node;
  if (ts.isNonNullExpression(parent) || ts.isParenthesizedExpression(parent)) return directions(parent);
  if (ts.isPostfixUnaryExpression(parent)) return ["sent", "read"];
  const operator = ts.isBinaryExpression(parent) && parent.left === node ? parent.operatorToken.kind : 0;
  const assigns = operator >= ts.SyntaxKind.FirstAssignment && operator <= ts.SyntaxKind.LastAssignment;
  return assigns ? ["sent", "read"] : ["read"];
}
