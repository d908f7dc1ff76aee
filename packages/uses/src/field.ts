import { dirname } from "node:path";
import ts from "typescript";
import type { Client, Contract } from "./contract.ts";

/** A field or type of a service, by its name in reports. */
export interface Field {
  readonly client: Client;
  readonly name: string;
}

/** Interfaces that are named by path. Their schemas have names of their own. */
const byPath = new Set(["paths", "operations", "components", "webhooks", "$defs"]);

/** The field that a declaration defines: `Trajectory.reward`; undefined if it is not part of a service's schemas. */
export function fieldOf(contract: Contract, declaration: ts.Node): Field | undefined {
  if (!ts.isPropertySignature(declaration)) return undefined;
  const names: string[] = [];
  let node: ts.Node = declaration;
  while (!ts.isSourceFile(node)) {
    if (ts.isPropertySignature(node)) names.unshift(nameOf(node.name));
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) names.unshift(node.name.text);
    node = node.parent;
  }
  const client = clientOf(contract, node);
  const [schema = "", ...rest] = names;
  if (client === undefined || byPath.has(schema) || !isSchema(declaration)) return undefined;
  const query = contract.queries.get(schema);
  return { client, name: query === undefined ? names.join(".") : `${query} query ${rest.join(".")}` };
}

/** The schema that a declaration defines: `Model`. */
export function typeOf(contract: Contract, declaration: ts.Node): Field | undefined {
  if (!ts.isInterfaceDeclaration(declaration) && !ts.isTypeAliasDeclaration(declaration)) return undefined;
  const client = clientOf(contract, declaration.getSourceFile());
  const name = declaration.name.text;
  if (client === undefined || byPath.has(name) || contract.queries.has(name) || !isSchema(declaration))
    return undefined;
  return { client, name };
}

/** Whether a declaration is in the file of a client's schemas. */
function isSchema(declaration: ts.Node): boolean {
  return /\/schema(\.d)?\.[cm]?ts$/.test(declaration.getSourceFile().fileName);
}

function clientOf(contract: Contract, file: ts.SourceFile): Client | undefined {
  return contract.clients.find(({ folder }) => folder === dirname(file.fileName));
}

function nameOf(name: ts.PropertyName): string {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)
    ? name.text
    : name.getText();
}
