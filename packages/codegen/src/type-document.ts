import { isObject, joinPointer, pointerTokens, resolvePointer } from "@trainyard/core/validation";
import {
  dialect,
  everySchema,
  mediaKind,
  pascalCase,
  reach,
  readDocument,
  schemaName,
  typeName,
  type Document,
  type Operation,
} from "@trainyard/document";
import {
  closeSchemas,
  excludeDiscriminators,
  openUnions,
  tidySchemas,
  type TypesAccept,
  widenEnumerations,
} from "./closed-types.ts";
import { directionsOf, keepDirections, markReadonlyArrays, openMaps } from "./directions.ts";
import {
  childSchemas,
  type OpenApiDocument,
  resolve,
  type Schema,
  schemaAt,
  schemasOf,
} from "@trainyard/document/files";
import type { OperationInfo } from "./operation-info.ts";
import { plainSchemas } from "./plain-schemas.ts";

/**
 * Prepares a document for types: objects closed, properties by direction, kinds discriminated by literals only, arrays of
 * requests marked, a component for each query, and without everything that does not affect types (headers of responses,
 * examples).
 */
export function typeDocument(
  document: OpenApiDocument,
  operations: readonly OperationInfo[],
  typesAccept: TypesAccept,
  note?: (sentence: string) => unknown,
): OpenApiDocument {
  const copy = structuredClone(document);
  const queries: Record<string, Schema> = {};
  for (const { query, queryParameters, name } of operations) {
    if (query !== undefined) queries[query.type] = querySchema(name, queryParameters);
  }
  const schemas = { ...schemasOf(copy), ...queries };
  const all = readDocument(copy).operations;
  const inline = all.map(bare);
  for (const { item } of all) delete item.node["parameters"];
  const { responses, requestBodies } = copy.components ?? {};
  // Unused components still refer to removed headers and examples.
  const used = new Set(all.flatMap((operation) => [...operation.responses.values()].map(({ pointer }) => pointer)));
  const shared = Object.entries(responses ?? {}).filter(([name]) =>
    used.has(joinPointer("#/components/responses", name)),
  );
  const typed: OpenApiDocument = {
    ...copy,
    components: {
      schemas,
      ...(responses && { responses: Object.fromEntries(shared) }),
      ...(requestBodies && { requestBodies }),
    },
  };
  // The parameters are inline now. The same schemas are looked at again and again.
  const read = { root: typed, operations: inline };
  tidySchemas(read);
  nameParts(read, schemas);
  plainSchemas(read, note);
  for (const { body } of all)
    for (const { mediaType, schema, node } of body?.content.values() ?? [])
      if (schema && mediaKind(mediaType) === "multipart")
        markFiles(schemas, schemaAt(schema), Object(node["encoding"]));
  const sent = Object.values(queries);
  const directions = directionsOf(typed, all, sent);
  keepDirections(typed, directions, sent);
  markReadonlyArrays(typed, all, sent);
  excludeDiscriminators(schemas);
  openUnions(schemas);
  closeSchemas(schemas);
  openMaps(directions);
  widenEnumerations(schemas, typesAccept);
  encodeNames(read);
  return typed;
}

/** Encodes the percent signs in names of properties, because openapi-typescript decodes them. */
function encodeNames(document: Pick<Document, "root" | "operations">): void {
  const encode = (name: string): string => name.replaceAll("%", "%25");
  for (const { node } of everySchema(document)) {
    const { properties, required } = schemaAt({ node, pointer: "" });
    if (!Object.keys(properties ?? {}).some((name) => name.includes("%"))) continue;
    node["properties"] = Object.fromEntries(
      Object.entries(properties ?? {}).map(([name, schema]) => [encode(name), schema]),
    );
    if (required) node["required"] = required.map(encode);
  }
}

/**
 * Gives the parts of schemas that are referred to a component each: TypeScript has no type for a property of a type that is
 * optional or a union.
 */
function nameParts(document: Pick<Document, "root" | "operations">, schemas: Record<string, Schema>): void {
  const names = new Map<string, string>();
  const found = everySchema(document);
  // An array yields what is added meanwhile.
  for (const { node } of found) {
    const { $ref: reference } = node;
    if (typeof reference !== "string") continue;
    const target = resolvePointer(document.root, reference);
    if (!isObject(target)) delete node["$ref"];
    if (!isObject(target) || schemaName(reference) !== undefined) continue;
    const stem = pascalCase(pointerTokens(reference).join(" "));
    const taken = [stem, `${stem}Part`].find((one) => schemas[one] === undefined) ?? `${stem}PartSchema`;
    const known = names.get(reference);
    const name = known ?? taken;
    names.set(reference, name);
    schemas[name] = target;
    // A part outside of components may refer to further ones.
    if (known === undefined)
      found.push(...everySchema({ root: { components: { schemas: { [name]: target } } }, operations: [] }));
    node["$ref"] = `#/components/schemas/${name}`;
  }
}

/** Marks the strings of a form that are files, which programs give as a `Blob`. */
function markFiles(
  schemas: Readonly<Record<string, Schema>>,
  schema: Schema,
  encoding: Readonly<Record<string, { readonly contentType?: string } | undefined>> = {},
): void {
  const own = resolve(schemas, schema);
  for (const one of reach([own], (from) => childSchemas(from).map((child) => resolve(schemas, child)))) {
    const type = one["contentEncoding"] === undefined ? one["contentMediaType"] : undefined;
    if (one.format === "binary" || (typeof type === "string" && mediaKind(type) === "bytes")) one["x-blob"] = true;
  }
  for (const [name, property] of Object.entries(own.properties ?? {})) {
    const { contentType } = encoding[name] ?? {};
    const isFile = contentType !== undefined && !/[,*]/.test(contentType) && mediaKind(contentType) === "bytes";
    if (isFile && own.properties) own.properties[name] = { ...property, "x-blob": true };
  }
}

/** The documentation of a property for a parameter. */
const documentationKeys = new Set<string>(["description", "deprecated", dialect.basis.key]);

/** Inlines the parameters of an operation, and removes everything that does not affect types. */
function bare(operation: Operation): Operation {
  const { node, id, responses, body, pointer } = operation;
  node["operationId"] = id;
  const parameters = operation.parameters.map((parameter, index) => ({
    ...parameter,
    // A parameter that a client option fills is optional.
    node: { ...structuredClone(parameter.node), ...(parameter.clientOption !== undefined && { required: false }) },
    pointer: joinPointer(pointer, "parameters", index),
  }));
  node["parameters"] = parameters.map((one) => one.node);
  for (const response of responses.values()) delete response.node["headers"];
  for (const { content } of [...responses.values(), ...(body ? [body] : [])]) {
    for (const media of content.values()) delete media.node["examples"];
  }
  return { ...operation, parameters };
}

function querySchema(name: string, parameters: OperationInfo["queryParameters"]): Schema {
  const properties = parameters.map(({ name: key, node, schema }) => {
    const own: Schema = typeName(schema) === undefined ? structuredClone(schemaAt(schema)) : { $ref: schema.pointer };
    const documentation = Object.entries(node).filter(([member]) => documentationKeys.has(member));
    return [key, { ...own, ...Object.fromEntries(documentation) }] as const;
  });
  return {
    type: "object",
    description: `What \`${name}\` asks for.`,
    required: parameters.filter(({ required }) => required).map((parameter) => parameter.name),
    properties: Object.fromEntries(properties),
  };
}
