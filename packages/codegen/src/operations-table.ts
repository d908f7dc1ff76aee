import {
  isKeyed,
  isSupported,
  pascalCase,
  readDocument,
  shapeOf,
  type Operation,
  type Parameter,
  type Shape,
} from "@trainyard/document";
import { schemaAt, type OpenApiDocument } from "@trainyard/document/files";
import type { OperationFault, OperationInfo, Refuse } from "./operation-info.ts";
import { readBody, readFailures, readPage, readResult, readStream } from "./operation-media.ts";
import { schemeFaults, sendable } from "./schemes.ts";

/**
 * Reads the operations of a document whose inline schemas have names. Reports what would generate wrong code; style is left
 * to lint.
 */
export function operationsTable(document: OpenApiDocument): { operations: OperationInfo[]; faults: OperationFault[] } {
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
  const { clientMethod: name, id, key: method, path, aliasOf, parameters } = operation;
  if (name === undefined) return undefined;
  if (aliasOf !== undefined) {
    refuse("An alias has no method of its own.", "Remove either x-client-method or x-alias-of.");
    return undefined;
  }
  checkParameters(operation, refuse);
  const keyed = isKeyed(operation);
  if (operation.resend === "with-key" && !keyed) {
    refuse("x-resend is `with-key`, but the header Idempotency-Key is not declared.", "Declare it, or write `never`.");
  }
  const result = readResult(root, operation);
  const body = readBody(operation);
  const query = parameters.filter((one) => one.in === "query");
  const page = readPage(root, operation, refuse);
  const stream = readStream(root, operation, refuse);
  return {
    name,
    id,
    method,
    path,
    operation,
    pathParameters: orderedByPath(path, parameters).map((one) => ({ ...one, ...pathType(root, one) })),
    queryParameters: query,
    headers: callHeaders(parameters),
    cookies: parameters.filter((one) => one.in === "cookie"),
    optionHeaders: Object.fromEntries(
      parameters.flatMap(({ name: header, description, clientOption }) =>
        clientOption === undefined ? [] : [[clientOption, { header, description }] as const],
      ),
    ),
    keyed,
    security: sendable(operation.security),
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

function checkParameters({ path, parameters }: Operation, refuse: Refuse): void {
  for (const one of parameters.filter((parameter) => !isSupported(parameter)))
    refuse(`The path parameter ${one.name} has the style ${one.style}, which is not supported.`, "Use `simple`.");
  for (const { name, in: place, node } of parameters.filter((one) => one.node["in"] !== one.in))
    refuse(
      `The parameter ${name} is in ${String(node["in"])}, which is not supported.`,
      `Write it as \`in: ${place}\`.`,
    );
  const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
  const declared = parameters.filter((one) => one.in === "path").map((one) => one.name);
  for (const name of inPath.filter((one) => !declared.includes(one))) {
    refuse(`The path contains {${name}}, but no path parameter has that name.`, `Declare the parameter ${name}.`);
  }
  for (const name of declared.filter((one) => !inPath.includes(one))) {
    refuse(`The path parameter ${name} is not in the path.`, `Write {${name}} in the path, or remove the parameter.`);
  }
}

/** The headers that a call can give: not those that the client fills, nor those that OpenAPI leaves to other keys. */
function callHeaders(parameters: readonly Parameter[]): Parameter[] {
  const others = new Set(["accept", "content-type", "authorization", "idempotency-key"]);
  return parameters.filter(
    (one) => one.in === "header" && one.clientOption === undefined && !others.has(one.name.toLowerCase()),
  );
}

/** In the order of the path, which is the order of the arguments. */
function orderedByPath(path: string, parameters: readonly Parameter[]): Parameter[] {
  return parameters
    .filter((one) => one.in === "path")
    .toSorted((a, b) => path.indexOf(`{${a.name}}`) - path.indexOf(`{${b.name}}`));
}

/** What the engine writes into a path. */
function pathType(root: object, { schema }: Parameter): { type: string; isList: boolean } {
  const shape = shapeOf(root, schema);
  const isList = shape.types.has("array");
  const items = textTypes(shape.items).join(" | ");
  const list = isList ? [`readonly ${items.includes(" ") ? `(${items})` : items}[]`] : [];
  const single = isList && shape.types.size === 1 ? [] : textTypes(shape);
  return { type: [...single, ...list].join(" | "), isList };
}

function textTypes(shape: Shape | undefined): string[] {
  const { enum: listed } = shape === undefined ? {} : schemaAt(shape.schema);
  if (listed !== undefined) return listed.map((value) => JSON.stringify(value));
  const types = new Set([...(shape?.types ?? [])].flatMap((type) => texts.get(type) ?? []));
  return types.size === 0 ? ["string"] : [...types];
}

const texts = new Map([
  ["string", "string"],
  ["integer", "number"],
  ["number", "number"],
  ["boolean", '"true" | "false"'],
]);
