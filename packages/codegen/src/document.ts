/** The parts of an OpenAPI 3.1 document that the generator reads. All `$ref`s of a bundle point into its components. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags?: readonly Tag[];
  readonly security?: readonly SecurityRequirement[];
  readonly paths: Record<string, PathItem>;
  readonly components?: Components;
}

export interface Tag {
  readonly name: string;
  readonly description?: string;
}

export type SecurityRequirement = Record<string, readonly string[]>;

export interface Components {
  schemas?: Record<string, Schema>;
  responses?: Record<string, Response>;
  parameters?: Record<string, Parameter>;
  requestBodies?: Record<string, RequestBody>;
  headers?: Record<string, unknown>;
  examples?: Record<string, unknown>;
  securitySchemes?: Record<string, unknown>;
}

export interface Reference {
  readonly $ref: string;
}

export const httpMethods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;
export type HttpMethod = (typeof httpMethods)[number];

export type PathItem = { parameters?: (Parameter | Reference)[] } & { [method in HttpMethod]?: Operation };

export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly tags?: readonly string[];
  readonly security?: readonly SecurityRequirement[];
  parameters?: (Parameter | Reference)[];
  requestBody?: RequestBody | Reference;
  responses?: Record<string, Response | Reference>;
  readonly "x-basis"?: Basis;
  readonly "x-client-method"?: string;
  readonly "x-alias-of"?: string;
  readonly "x-resend"?: string;
  readonly "x-timeout"?: number;
  readonly "x-pagination"?: { readonly cursor: string; readonly item: string; readonly more: string };
  readonly "x-stream"?: { readonly toggle: string; readonly end: string; readonly fold?: string };
}

export type Basis = "interface" | "adopted" | "proposed";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  required?: boolean;
  description?: string;
  readonly deprecated?: boolean;
  schema?: Schema;
  readonly "x-basis"?: Basis;
  readonly "x-client-option"?: string;
}

export interface RequestBody {
  readonly description?: string;
  readonly required?: boolean;
  readonly content?: Record<string, MediaType>;
}

export interface Response {
  readonly description?: string;
  headers?: Record<string, unknown>;
  readonly content?: Record<string, MediaType>;
}

export interface MediaType {
  schema?: Schema;
  examples?: Record<string, unknown>;
}

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
  patternProperties?: Record<string, Schema>;
  propertyNames?: Schema;
  items?: Schema | boolean;
  prefixItems?: Schema[];
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
  contentMediaType?: string;
  contentSchema?: Schema;
  "x-basis"?: Basis;
  "x-sensitive"?: boolean;
  "x-types-accept"?: string[];
  [extension: `x-${string}`]: unknown;
}

interface Sections {
  readonly schemas: Schema;
  readonly responses: Response;
  readonly parameters: Parameter;
  readonly requestBodies: RequestBody;
}

/** Follows a `$ref` of a bundle into its components. The bundler has made sure that it resolves. */
export function resolve<S extends keyof Sections>(
  document: OpenApiDocument,
  section: S,
  value: Sections[S] | Reference,
): Sections[S] {
  const components: { readonly [K in keyof Sections]?: Record<string, Sections[K]> } = document.components ?? {};
  let current = value;
  for (let hops = 0; isReference(current); hops += 1) {
    const next = components[section]?.[referenceName(current.$ref)];
    if (next === undefined || hops > 100) throw new Error(`The reference ${current.$ref} leads nowhere.`);
    current = next;
  }
  return current;
}

export function isReference(value: object): value is Reference {
  return "$ref" in value && typeof value.$ref === "string";
}

/** `Model` of `#/components/schemas/Model`. */
export function referenceName(ref: string): string {
  return (ref.split("/").at(-1) ?? ref).replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The schemas that stand directly inside a schema; the same ones in the same order each time. */
export function childSchemas(schema: Schema): Schema[] {
  const { items, additionalProperties, propertyNames, not, contentSchema } = schema;
  return [
    ...Object.values(schema.properties ?? {}),
    ...Object.values(schema.patternProperties ?? {}),
    ...(schema.prefixItems ?? []),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...[items, additionalProperties, propertyNames, not, contentSchema].filter((one) => typeof one === "object"),
  ];
}
