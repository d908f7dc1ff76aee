import type { JsonObject } from "@trainyard/core/validation";
import { referredName, subschemas, type httpMethods, type Located } from "../index.ts";

/** A validated bundle of OpenAPI 3.1. All `$ref`s point to its components. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title?: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: { readonly schemas?: Record<string, Schema>; readonly [section: string]: object | undefined };
  readonly [member: string]: unknown;
}

export type PathItem = Readonly<Partial<Record<(typeof httpMethods)[number], JsonObject>>>;

/** The keywords of a schema that determine its type. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  format?: string;
  deprecated?: boolean;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
  [keyword: string]: unknown;
}

/** The component schemas of a document, by name. A new record of the document's own schemas. */
export function schemasOf({ components }: OpenApiDocument): Record<string, Schema> {
  return { ...components?.schemas };
}

/** The value at a location of a document that holds a schema. Its form is validated: see {@link OpenApiDocument}. */
export function schemaAt({ node }: Located): Schema {
  return node;
}

/** Resolves `$ref`s until there are no more; returns the schema itself if it has none. */
export function resolve(schemas: Readonly<Record<string, Schema>>, schema: Schema): Schema {
  const name = referredName(schema);
  const next = name === undefined ? undefined : schemas[name];
  return next === undefined ? schema : resolve(schemas, next);
}

/** The direct subschemas of a schema, in a stable order. */
export function childSchemas(schema: Schema): Schema[] {
  return subschemas(schema).map((child) => child.schema);
}
