import { isObject, memberAt, resolvePointer, saysMore, type Fault, type JsonObject } from "@trainyard/core/validation";
import { dialect, jsonOf, type Operation } from "@trainyard/document";

// The fault types of violated limits. All others get the operation's own status.
const breaches = new Set(["value_error", "greater_than_equal", "less_than_equal", "too_short", "too_long"]);

/**
 * The status of the response to an invalid request: 422 if it is declared, else 400. If each fault violates a limit for
 * which the document defines a status, that one is used.
 * @param root the bundled document
 * @param faults the faults; paths begin with the source
 */
export function invalidStatus(root: object, operation: Operation, faults: readonly Fault[] = []): number {
  const [first, ...others] = faults
    .filter((fault) => !saysMore(fault))
    .map((fault) => statusAt(root, operation, fault));
  if (first !== undefined && others.every((status) => status === first)) return first;
  return !operation.responses.has("422") && operation.responses.has("400") ? 400 : 422;
}

function statusAt(root: object, { body }: Operation, { loc, type }: Fault): number | undefined {
  const [source, ...path] = loc;
  const whole = body && jsonOf(body.content)?.schema;
  if (source !== "body" || whole === undefined || !breaches.has(type)) return undefined;
  let schema: JsonObject | undefined = whole.node;
  for (const step of path) {
    const next = typeof step === "number" ? schema?.["items"] : memberAt(schema, ["properties", step]);
    schema = follow(root, next);
  }
  return schema && dialect.invalidStatus.read(schema);
}

function follow(root: object, schema: unknown): JsonObject | undefined {
  let target = schema;
  for (let hops = 0; isObject(target) && typeof target["$ref"] === "string" && hops < 32; hops++) {
    target = resolvePointer(root, target["$ref"]);
  }
  return isObject(target) ? target : undefined;
}
