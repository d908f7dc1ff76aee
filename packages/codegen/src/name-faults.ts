import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { schemasOf } from "./document.ts";
import type { MethodGroup } from "./method-tree.ts";
import { pascalCase } from "@trainyard/document";
import { typeName } from "./names.ts";
import type { OperationFault } from "./operation-info.ts";
import type { Service } from "./service.ts";

/** Global types that generated code uses. */
const ambient = new Set(
  "Array Extract NonNullable Omit Partial Pick Promise Readonly ReadonlyArray Record Required".split(" "),
);

/**
 * Names that conflict in one package: if a schema had the name of an engine class, `export *` would silently drop both.
 */
export function nameFaults(service: Omit<Service, "methods">, groups: readonly MethodGroup[]): OperationFault[] {
  const pascal = pascalCase(service.name);
  const generated = new Map<string, string>([
    ...[`${pascal}Client`, `${pascal}ClientOptions`].map((name) => [name, "the client"] as const),
    ...["paths", "operations", "components"].map((name) => [name, "the types of all operations"] as const),
    ...service.operations.flatMap(({ name, query }) => (query ? [[query.type, `the query of ${name}`] as const] : [])),
  ]);
  const faults: OperationFault[] = [];
  for (const { typeName: name, name: group } of groups) {
    const other = generated.get(name);
    if (other !== undefined) {
      const first = service.operations.find((operation) => operation.name.startsWith(`${group}.`));
      faults.push({
        pointer: ["paths", first?.path ?? "", first?.method ?? "", "x-client-method"],
        message: `The methods ${group}.* would have the type ${name}, like ${other}.`,
        cure: "Rename the group.",
      });
    }
    generated.set(name, `the methods ${group}.*`);
  }
  const engine = coreExports();
  for (const name of Object.keys(schemasOf(service.document))) {
    const pointer = ["components", "schemas", name];
    const cure = `Rename the file ${name}.yaml: a schema is named after its file.`;
    const taken = generated.get(name);
    if (!typeName.test(name)) {
      const message = `${name} cannot be the name of a type: it has to begin with a capital and hold letters and digits.`;
      faults.push({ pointer, message, cure });
    } else if (engine.has(name)) {
      faults.push({ pointer, message: `The schema ${name} has the name of an export of @trainyard/core.`, cure });
    } else if (taken !== undefined) {
      faults.push({ pointer, message: `The schema ${name} has the same name as the type of ${taken}.`, cure });
    } else if (ambient.has(name)) {
      faults.push({ pointer, message: `The schema ${name} has the name of a type of TypeScript itself.`, cure });
    }
  }
  return faults;
}

/**
 * The names that `@trainyard/core` exports, including types: read from its source, because a module has no types at run
 * time.
 */
export function coreExports(file: string = fileURLToPath(import.meta.resolve("@trainyard/core"))): ReadonlySet<string> {
  const text = readFileSync(file, "utf8");
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) => names.split(","));
  const declared = text.matchAll(/^export (?:abstract |async )*(?:class|const|function\*?|interface|type) (\w+)/gm);
  const below = [...text.matchAll(/^export \* from "(\.[^"]+)"/gm)].flatMap(([, from = ""]) => [
    ...coreExports(join(dirname(file), from)),
  ]);
  return new Set([
    ...listed.map((name) => name.replace(/^.* (?=\S)/s, "").trim()),
    ...[...declared].map(([, name = ""]) => name),
    ...below,
  ]);
}
