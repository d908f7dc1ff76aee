import { dirname } from "node:path";
import ts from "@trainyard/codegen/compiler";
import type { Contract } from "./contract.ts";

/** Interfaces that are named by path. Their schemas have names of their own. */
const byPath = new Set(["paths", "operations", "components", "webhooks", "$defs"]);

/**
 * What a declaration in the schemas of a service defines: the type `Model`, the field `Trajectory.reward`, or the parameter
 * `models.checkpoints.list query order`; undefined for any other declaration.
 */
export function definedBy(
  { clients, queries }: Contract,
  declaration: ts.Node,
): { service: string; name: string } | undefined {
  const { fileName } = declaration.getSourceFile();
  const client = clients.find(({ folder }) => folder === dirname(fileName));
  if (client === undefined || !/\/schema(\.d)?\.[cm]?ts$/.test(fileName)) return undefined;
  const names: string[] = [];
  for (let node = declaration; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isPropertySignature(node)) names.unshift("text" in node.name ? node.name.text : node.name.getText());
    else if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) names.unshift(node.name.text);
    else if (node === declaration) return undefined;
  }
  const [schema = "", ...rest] = names;
  const query = queries.get(schema);
  if (byPath.has(schema) || (query !== undefined && rest.length === 0)) return undefined;
  return { service: client.service, name: query === undefined ? names.join(".") : `${query} query ${rest.join(".")}` };
}
