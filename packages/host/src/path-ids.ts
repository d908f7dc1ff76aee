import { formats, type Fault } from "@trainyard/core/validation";
import type { Operation } from "@trainyard/document";

/**
 * The fault of a path parameter that must be a UUID and is not. A parameter must be a UUID if its schema says so or its
 * example is one. An id is a string; one that is not a UUID identifies nothing.
 */
export function pathFault(operation: Operation, params: Readonly<Record<string, string>>): Fault | undefined {
  for (const { in: source, name, schema, example } of operation.parameters) {
    if (source !== "path") continue;
    const takesUuids = schema.node["format"] === "uuid" || formats.uuid.test(String(example));
    if (!takesUuids || formats.uuid.test(params[name] ?? "")) continue;
    return { loc: ["path", name], msg: "This must be a UUID.", type: "uuid_parsing" };
  }
  return undefined;
}
