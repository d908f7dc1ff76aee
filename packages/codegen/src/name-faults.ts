import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pointerTokens } from "@trainyard/core/validation";
import { groupBy, type Document, type Operation } from "@trainyard/document";
import { type OpenApiDocument, schemasOf } from "@trainyard/document/files";
import type { MethodGroup } from "./method-tree.ts";
import { typeName } from "./names.ts";
import type { OperationFault, OperationInfo } from "./operation-info.ts";
import type { NamedDocument } from "./schema-names.ts";

/** Groups of methods whose types would have one name. */
export function groupFaults(operations: readonly OperationInfo[], groups: readonly MethodGroup[]): OperationFault[] {
  const generated = new Map<string, string>();
  const faults: OperationFault[] = [];
  for (const { typeName: name, name: group } of groups) {
    const other = generated.get(name);
    if (other !== undefined) {
      const first = operations.find((operation) => operation.name.startsWith(`${group}.`));
      faults.push({
        pointer: ["paths", first?.path ?? "", first?.method ?? "", "x-client-method"],
        message: `The methods ${group}.* would have the type ${name}, like ${other}.`,
        cure: "Rename the group.",
      });
    }
    generated.set(name, `the methods ${group}.*`);
  }
  return faults;
}

/** Names of our own schemas that their types could not have. */
export function schemaNameFaults(published: OpenApiDocument, renamed: NamedDocument["renamed"]): OperationFault[] {
  return Object.keys(schemasOf(published)).flatMap((name) => {
    const reason = renamed.get(name)?.reason;
    const message = !typeName.test(name)
      ? `${name} cannot be the name of a type: it has to begin with a capital and hold letters and digits.`
      : `The schema ${name} ${reason}.`;
    if (reason === undefined && typeName.test(name)) return [];
    const cure = `Rename the file ${name}.yaml: a schema is named after its file.`;
    return [{ pointer: ["components", "schemas", name], message, cure }];
  });
}

/**
 * The operations that have one operationId, each with the others.
 *
 * @param spelling what is compared of an id. Default: the id
 */
export function operationIdFaults(
  { operations }: Pick<Document, "operations">,
  spelling = (id: string): string => id,
): OperationFault[] {
  const named = operations.filter(({ node }) => typeof node["operationId"] === "string");
  const idOf = ({ node }: Operation): string => String(node["operationId"]);
  const alike = groupBy(named, (one) => spelling(idOf(one)) || idOf(one));
  return named.flatMap((one) => {
    const id = idOf(one);
    const all = alike.get(spelling(id) || id) ?? [];
    if (all.length < 2) return [];
    const ids = [...new Set(all.map(idOf))];
    const have =
      ids.length === 1 ? `the operationId ${id}` : `operationIds that differ only in spelling, ${ids.join(", ")}`;
    const names = all.map(({ method, path }) => `${method} ${path}`).join(", ");
    const message = `${all.length} operations have ${have}: ${names}.`;
    return [{ pointer: [...pointerTokens(one.pointer), "operationId"], message, cure: "Give each of them its own." }];
  });
}

/** The names that a module of `@trainyard/core` exports, including types: read from its source, because a module has no types at run time. */
function exportsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) => names.split(","));
  const declared = text.matchAll(/^export (?:abstract |async )*(?:class|const|function\*?|interface|type) (\w+)/gm);
  const below = text.matchAll(/^export \* from "(\.[^"]+)"/gm);
  return [
    ...listed.map((name) => name.replace(/^.* (?=\S)/s, "").trim()),
    ...[...declared].map(([, name = ""]) => name),
    ...[...below].flatMap(([, from = ""]) => exportsOf(join(dirname(file), from))),
  ];
}

/** The names that `@trainyard/core` exports. Its package has its source beside the built modules. */
export const coreExports: ReadonlySet<string> = new Set(
  exportsOf(fileURLToPath(import.meta.resolve("@trainyard/core").replace(/dist\/index\.js$/, "src/index.ts"))),
);
