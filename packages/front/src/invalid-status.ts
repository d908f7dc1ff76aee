import { isObject, resolvePointer, saysMore, type Fault, type JsonObject } from "@trainyard/core/validation";
import type { DocumentOperation } from "./document.ts";

// What limits say of a value of the right type. Any other fault is told with the operation's own status.
const breaches = new Set(["value_error", "greater_than_equal", "less_than_equal", "too_short", "too_long"]);

/**
 * The status with which an operation refuses a request that is not valid: 422 where it is declared, else 400. Where each
 * fault breaks a limit beside an `x-invalid-status`, it is that one.
 * @param faults what is wrong; places begin with the source
 */
export function invalidStatus(document: object, operation: DocumentOperation, faults: readonly Fault[]): number {
  const own = [422, 400].find((status) => operation.responses.has(status)) ?? 422;
  const [first, ...others] = faults
    .filter((fault) => !saysMore(fault))
    .map((fault) => statusAt(document, operation, fault));
  return first !== undefined && others.every((status) => status === first) ? first : own;
}

function statusAt(document: object, { body }: DocumentOperation, { loc, type }: Fault): number | undefined {
  const [source, ...path] = loc;
  if (source !== "body" || body === undefined || !breaches.has(type)) return undefined;
  let schema = follow(document, { $ref: body.schemaPointer });
  for (const step of path) {
    const next = typeof step === "number" ? schema?.["items"] : propertiesOf(schema)[step];
    schema = follow(document, next);
  }
  const status = schema?.["x-invalid-status"];
  return typeof status === "number" ? status : undefined;
}

function propertiesOf(schema: JsonObject | undefined): JsonObject {
  const properties = schema?.["properties"];
  return isObject(properties) ? properties : {};
}

function follow(document: object, schema: unknown): JsonObject | undefined {
  let target = schema;
  for (let hops = 0; isObject(target) && typeof target["$ref"] === "string" && hops < 32; hops++) {
    target = resolvePointer(document, target["$ref"]);
  }
  return isObject(target) ? target : undefined;
}
