import { closeObjects, dropDiscriminators, excludeDiscriminators, widenEnumerations } from "./closed-types.ts";
import {
  httpMethods,
  isReference,
  resolve,
  type OpenApiDocument,
  type Operation,
  type RequestBody,
  type Response,
  type Schema,
} from "./document.ts";
import type { OperationInfo } from "./operation-info.ts";
import { markReadonlyArrays } from "./readonly-arrays.ts";

/**
 * The document as types are made of it: objects closed, kinds told apart by literals alone, arrays of requests marked,
 * a component for each query, and without what says nothing about a type (headers of answers, examples).
 */
export function typeDocument(document: OpenApiDocument, operations: readonly OperationInfo[]): OpenApiDocument {
  const copy = structuredClone(document);
  const schemas: Record<string, Schema> = { ...copy.components?.schemas };
  const queries: Record<string, Schema> = {};
  for (const { query, queryParameters, name } of operations) {
    if (query !== undefined) queries[query.type] = querySchema(name, structuredClone(queryParameters));
  }
  Object.assign(schemas, queries);
  for (const item of Object.values(copy.paths)) {
    for (const method of httpMethods) {
      const operation = item[method];
      if (operation === undefined) continue;
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      operation.parameters = parameters.map((parameter) => {
        const resolved = structuredClone(resolve(copy, "parameters", parameter));
        // The client fills it from its options, so nobody has to.
        if (resolved["x-client-option"] !== undefined) resolved.required = false;
        return resolved;
      });
    }
    delete item.parameters;
  }
  for (const response of everyResponse(copy)) delete response.headers;
  for (const { content } of [...everyResponse(copy), ...everyBody(copy)]) {
    for (const media of Object.values(content ?? {})) delete media.examples;
  }
  const typed: OpenApiDocument = {
    ...copy,
    components: {
      schemas,
      ...(copy.components?.responses && { responses: copy.components.responses }),
      ...(copy.components?.requestBodies && { requestBodies: copy.components.requestBodies }),
    },
  };
  markReadonlyArrays(typed, schemas, Object.values(queries));
  excludeDiscriminators(schemas);
  dropDiscriminators(schemas);
  closeObjects(schemas);
  widenEnumerations(schemas);
  return typed;
}

function querySchema(name: string, parameters: OperationInfo["queryParameters"]): Schema {
  const properties = parameters.map(({ name: key, description, deprecated, schema, "x-basis": basis }) => {
    const property: Schema = { ...schema };
    if (description !== undefined) property.description = description;
    if (deprecated !== undefined) property.deprecated = deprecated;
    if (basis !== undefined) property["x-basis"] = basis;
    return [key, property] as const;
  });
  return {
    type: "object",
    description: `What \`${name}\` asks for.`,
    required: parameters.filter(({ required }) => required === true).map((parameter) => parameter.name),
    properties: Object.fromEntries(properties),
  };
}

function everyResponse(document: OpenApiDocument): Response[] {
  const inline = everyOperation(document).flatMap(({ responses }) => Object.values(responses ?? {}));
  return [
    ...inline.flatMap((one) => (isReference(one) ? [] : [one])),
    ...Object.values(document.components?.responses ?? {}),
  ];
}

function everyBody(document: OpenApiDocument): RequestBody[] {
  return everyOperation(document).flatMap(({ requestBody }) =>
    requestBody === undefined ? [] : [resolve(document, "requestBodies", requestBody)],
  );
}

function everyOperation(document: OpenApiDocument): Operation[] {
  return Object.values(document.paths).flatMap((item) => httpMethods.flatMap((method) => item[method] ?? []));
}
