import { formats, type Fault } from "@trainyard/core/validation";
import type { DocumentOperation } from "./document.ts";

/**
 * The fault of a path parameter that takes UUIDs alone and got something else. A parameter takes UUIDs alone when its
 * schema says so, or when it is shown with one as its example: an id is text, and what is no UUID belongs to nothing.
 */
export function pathFault(operation: DocumentOperation, params: Readonly<Record<string, string>>): Fault | undefined {
  const broken = operation.parameters.find(
    ({ in: source, name, schema, example }) =>
      source === "path" &&
      (schema["format"] === "uuid" || formats.uuid.test(String(example))) &&
      !formats.uuid.test(params[name] ?? ""),
  );
  return broken && { loc: ["path", broken.name], msg: "This must be a UUID.", type: "uuid_parsing" };
}
