import type { JsonObject } from "@trainyard/core/validation";
import { schemaName, subschemas, type HttpMethod, type Place } from "@trainyard/document";

/** A bundle, in the form that OpenAPI 3.1 gives it: Redocly has judged it. All `$ref`s point into its components. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: { readonly schemas?: Record<string, Schema>; readonly [section: string]: object | undefined };
  readonly [member: string]: unknown;
}

export type PathItem = Readonly<Partial<Record<HttpMethod, JsonObject>>>;

/** The keywords of a schema that decide about its type. */
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

/** The component schemas of a document, by name. The record is a new one, the schemas are the document's own. */
export function schemasOf({ components }: OpenApiDocument): Record<string, Schema> {
  return { ...components?.schemas };
}

/** What stands at a place of a document that holds a schema. Its form is judged: see {@link OpenApiDocument}. */
export function schemaAt({ node }: Place): Schema {
  return node;
}

/** What a `$ref` leads to, and what that leads to; the schema itself where there is none. */
export function resolve(schemas: Readonly<Record<string, Schema>>, schema: Schema): Schema {
  const name = nameOf(schema);
  const next = name === undefined ? undefined : schemas[name];
  return next === undefined ? schema : resolve(schemas, next);
}

/** The component that a `$ref` names; undefined for a schema that is written where it stands. */
export function nameOf({ $ref }: Schema): string | undefined {
  return $ref === undefined ? undefined : schemaName($ref);
}

/** The schemas that stand directly inside a schema; the same ones in the same order each time. */
export function childSchemas(schema: Schema): Schema[] {
  return subschemas(schema).map((child) => child.schema);
}
