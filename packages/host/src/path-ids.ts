import { formats, type Fault } from "@trainyard/core/validation";
import type { Operation } from "@trainyard/document";

/**
 * The fault of a path parameter that takes UUIDs alone and got something else. A parameter takes UUIDs alone when its
 * schema says so, or when it is shown with one as its example: an id is text, and what is no UUID belongs to nothing.
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
