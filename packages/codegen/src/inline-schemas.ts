import { readDocument, typeName, type Media } from "@trainyard/document";
import { schemaAt, schemasOf, type OpenApiDocument, type Schema } from "./document.ts";
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
  const schemas = schemasOf(copy);
  const name = (media: Media | undefined, wanted: string): void => {
    if (!media?.schema || typeName(media.schema) !== undefined) return;
    const schema = schemaAt(media.schema);
    if (isUnconstrained(schema)) return;
    schemas[wanted] ??= schema;
    media.node["schema"] = { $ref: `#/components/schemas/${wanted}` };
  };
  for (const { clientMethod, body, responses } of readDocument(copy).operations) {
    if (clientMethod === undefined) continue;
    name(body?.content.get("application/json"), `${pascalCase(clientMethod)}Body`);
    for (const { status, content } of responses.values()) {
      if (status.startsWith("2")) name(content.get("application/json"), `${pascalCase(clientMethod)}Result`);
    }
  }
  return { ...copy, components: { ...copy.components, schemas } };
}
