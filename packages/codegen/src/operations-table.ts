import { httpMethods, resolve, type OpenApiDocument } from "./document.ts";
import { pascalCase } from "./names.ts";
import type { OperationFault, OperationInfo } from "./operation-info.ts";
import { readBody, readFailures, readPage, readResult, readStream } from "./operation-media.ts";
import {
  checkParameters,
  orderedByPath,
  readOptionHeaders,
  securityNames,
  type Reading,
} from "./operation-parameters.ts";

export interface OperationsTable {
  readonly operations: readonly OperationInfo[];
  readonly faults: readonly OperationFault[];
}

/**
 * Reads the operations of a document whose inline schemas have names. What would make wrong code is a fault; rules of
 * style are the lint's.
 */
export function operationsTable(document: OpenApiDocument): OperationsTable {
  const operations: OperationInfo[] = [];
  const faults: OperationFault[] = [];
  const aliases = new Map<string, string[]>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of httpMethods) {
      const operation = item[method];
      const original = operation?.["x-alias-of"];
      if (original !== undefined) aliases.set(original, [...(aliases.get(original) ?? []), path]);
    }
  }
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of httpMethods) {
      const operation = item[method];
      if (operation === undefined) continue;
      const pointer = ["paths", path, method];
      const fault = (message: string, cure: string, below: readonly string[] = []): void => {
        faults.push({ pointer: [...pointer, ...below], message, cure });
      };
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      const resolved = parameters.map((parameter) => resolve(document, "parameters", parameter));
      const info = readOperation({ document, path, method, operation, parameters: resolved, aliases, fault });
      if (info !== undefined) operations.push(info);
    }
  }
  const ids = new Set(operations.map(({ id }) => id));
  for (const [original, paths] of aliases) {
    if (ids.has(original)) continue;
    faults.push({
      pointer: ["paths", paths[0] ?? ""],
      message: `x-alias-of names ${original}, and no operation with a method has that operationId.`,
      cure: "Write the operationId of the operation that this one repeats.",
    });
  }
  return { operations, faults };
}

function readOperation(reading: Reading): OperationInfo | undefined {
  const { document, path, method, operation, parameters, aliases, fault } = reading;
  const { operationId: id, "x-client-method": name, "x-resend": resend } = operation;
  if (id === undefined) {
    fault("The operation has no operationId.", "Give it one: its summary in snake case, its path and its method.");
    return undefined;
  }
  if (operation["x-alias-of"] !== undefined && name === undefined) return undefined;
  if (name === undefined) {
    const cure = "Add `x-client-method: group.verb`, or `x-alias-of` with the operationId that it repeats.";
    fault("The operation has no x-client-method, so no client can call it.", cure);
    return undefined;
  }
  if (operation["x-alias-of"] !== undefined) {
    fault("An alias has no method of its own.", "Remove either x-client-method or x-alias-of.");
    return undefined;
  }
  if (resend !== "always" && resend !== "with-key" && resend !== "never") {
    fault("x-resend must say whether the call may be sent again.", "Write `always`, `with-key` or `never`.");
    return undefined;
  }
  checkParameters(reading);
  const keyed = parameters.some((one) => one.in === "header" && one.name.toLowerCase() === "idempotency-key");
  if (resend === "with-key" && !keyed) {
    fault("x-resend is `with-key`, but the header Idempotency-Key is not declared.", "Declare it, or write `never`.");
  }
  const result = readResult(reading, name);
  const body = readBody(reading, name);
  if (result === undefined || body === null) return undefined;
  const query = parameters.filter((one) => one.in === "query");
  const page = readPage(reading, result.schema);
  const stream = readStream(reading, result.response, body?.schema);
  return {
    name,
    id,
    method,
    path,
    aliases: aliases.get(id) ?? [],
    operation,
    pathParameters: orderedByPath(path, parameters),
    queryParameters: query,
    optionHeaders: readOptionHeaders(parameters),
    keyed,
    resend,
    timeout: operation["x-timeout"] ?? 60,
    security: securityNames(document, operation),
    ...(query.length > 0 && {
      query: { type: `${pascalCase(name)}Query`, required: query.some((one) => one.required === true) },
    }),
    ...(body !== undefined && { body: body.info }),
    result: result.info,
    ...(page !== undefined && { page }),
    ...(stream !== undefined && { stream }),
    failures: readFailures(document, operation),
  };
}
