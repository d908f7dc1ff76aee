import { httpMethods, isReference, resolve, type MediaType, type OpenApiDocument, type Schema } from "./document.ts";
import { pascalCase } from "./names.ts";

/** Keywords that say nothing about a value: a schema of these alone takes anything. */
const annotations = new Set(["title", "description", "deprecated", "default", "examples", "$comment"]);

/** Whether a schema accepts any JSON value. */
export function isUnconstrained(schema: Schema): boolean {
  return Object.keys(schema).every((key) => annotations.has(key) || key.startsWith("x-"));
}

/**
 * The document with a component for each body and answer that is written inside its operation, `ModelsCreateBody` and
 * `ModelsCreateResult`: hovers and errors need a name to show. The published bundle stays as it is written.
 */
export function nameInlineSchemas(document: OpenApiDocument): OpenApiDocument {
  const copy = structuredClone(document);
  const schemas: Record<string, Schema> = { ...copy.components?.schemas };
  const name = (media: MediaType | undefined, wanted: string): void => {
    const schema = media?.schema;
    if (media === undefined || schema === undefined || isReference(schema) || isUnconstrained(schema)) return;
    schemas[wanted] ??= schema;
    media.schema = { $ref: `#/components/schemas/${wanted}` };
  };
  for (const item of Object.values(copy.paths)) {
    for (const method of httpMethods) {
      const operation = item[method];
      const methodName = operation?.["x-client-method"];
      if (operation === undefined || methodName === undefined) continue;
      const { requestBody, responses = {} } = operation;
      if (requestBody !== undefined) {
        const { content } = resolve(copy, "requestBodies", requestBody);
        name(content?.["application/json"], `${pascalCase(methodName)}Body`);
      }
      for (const [status, response] of Object.entries(responses)) {
        if (!status.startsWith("2")) continue;
        name(resolve(copy, "responses", response).content?.["application/json"], `${pascalCase(methodName)}Result`);
      }
    }
  }
  return { ...copy, components: { ...copy.components, schemas } };
}
