import { dialect, isKeyed, readDocument, resends, type Operation } from "@trainyard/document";
import type { OpenApiDocument } from "./document.ts";
import { pascalCase } from "./names.ts";
import type { OperationFault, OperationInfo, Refuse } from "./operation-info.ts";
import { readBody, readFailures, readPage, readResult, readStream } from "./operation-media.ts";
import { schemeFaults } from "./schemes.ts";
import { checkParameters, orderedByPath, readOptionHeaders } from "./operation-parameters.ts";

export interface OperationsTable {
  readonly operations: readonly OperationInfo[];
  readonly faults: readonly OperationFault[];
}

/**
 * Reads the operations of a document whose inline schemas have names. Reports what would generate wrong code; style is left
 * to lint.
 */
export function operationsTable(document: OpenApiDocument): OperationsTable {
  const { root, operations: all } = readDocument(document);
  const faults: OperationFault[] = [];
  const operations = all.flatMap((operation) => {
    const refuse: Refuse = (message, cure, below = []) => {
      faults.push({ pointer: ["paths", operation.path, operation.key, ...below], message, cure });
    };
    return infoOf(root, operation, refuse) ?? [];
  });
  const ids = new Set(operations.map(({ id }) => id));
  for (const { aliasOf, path } of all) {
    if (aliasOf === undefined || ids.has(aliasOf)) continue;
    faults.push({
      pointer: ["paths", path],
      message: `x-alias-of is ${aliasOf}, but no operation with a method has that operationId.`,
      cure: "Write the operationId of the original operation.",
    });
  }
  return { operations, faults: [...faults, ...schemeFaults(operations)] };
}

function infoOf(root: object, operation: Operation, refuse: Refuse): OperationInfo | undefined {
  const { node, clientMethod: name, id, key: method, path, aliases, aliasOf, parameters, resend } = operation;
  if (node["operationId"] === undefined) {
    refuse("The operation has no operationId.", "Add one: its summary in snake case, its path and its method.");
    return undefined;
  }
  if (aliasOf !== undefined && name === undefined) return undefined;
  if (name === undefined) {
    const cure = "Add `x-client-method: group.verb`, or `x-alias-of` with the operationId of the original operation.";
    refuse("The operation has no x-client-method, so no client can call it.", cure);
    return undefined;
  }
  if (aliasOf !== undefined) {
    refuse("An alias has no method of its own.", "Remove either x-client-method or x-alias-of.");
    return undefined;
  }
  if (!resends.some((one) => one === node[dialect.resend.key])) {
    refuse("x-resend must say whether the call may be retried.", "Write `always`, `with-key` or `never`.");
    return undefined;
  }
  checkParameters(operation, refuse);
  const keyed = isKeyed(operation);
  if (resend === "with-key" && !keyed) {
    refuse("x-resend is `with-key`, but the header Idempotency-Key is not declared.", "Declare it, or write `never`.");
  }
  const result = readResult(operation, refuse);
  const body = readBody(operation, refuse);
  if (result === undefined || body === null) return undefined;
  const query = parameters.filter((one) => one.in === "query");
  const page = readPage(root, operation, refuse);
  const stream = readStream(root, operation, refuse);
  return {
    name,
    id,
    method,
    path,
    aliases,
    operation,
    pathParameters: orderedByPath(path, parameters),
    queryParameters: query,
    optionHeaders: readOptionHeaders(parameters),
    keyed,
    resend,
    timeout: operation.timeout,
    security: operation.security,
    ...(query.length > 0 && {
      query: { type: `${pascalCase(name)}Query`, required: query.some((one) => one.required) },
    }),
    ...(body !== undefined && { body }),
    result,
    ...(page !== undefined && { page }),
    ...(stream !== undefined && { stream }),
    failures: readFailures(operation),
  };
}
