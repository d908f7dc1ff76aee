import { isObject } from "@trainyard/core/validation";
import { dialect } from "./dialect.ts";
import type { HttpMethod } from "./http-method.ts";
import { readContent, readExamples } from "./media.ts";
import type { DocumentResponse, Operation, Parameter, RequestBody, ResponseHeader } from "./operation.ts";
import { locateAll, locateIn, type Place } from "./place.ts";
import { readSecurity } from "./security.ts";

/** Reads one operation, without the names that depend on other operations. */
export function readOperation(document: object, item: Place, key: HttpMethod, path: string): Operation {
  const place = locateIn(document, item, key);
  const { node } = place;
  const clientMethod = dialect.clientMethod.read(node);
  const id = text(node["operationId"]) || `${key} ${path}`;
  return {
    ...place,
    name: clientMethod ?? id,
    clientMethod,
    id,
    key,
    method: key.toUpperCase(),
    path,
    item,
    summary: text(node["summary"]),
    description: text(node["description"]),
    tags: [node["tags"] ?? []].flat().filter((tag) => typeof tag === "string"),
    deprecated: node["deprecated"] === true,
    basis: dialect.basis.read(node),
    rules: dialect.rules.read(node),
    aliasOf: dialect.aliasOf.read(node),
    aliases: [],
    parameters: readParameters(document, item, place),
    body: readBody(document, place),
    security: readSecurity(document, place),
    responses: new Map(locateAll(document, place, "responses").map((found) => readResponse(document, ...found))),
    resend: dialect.resend.read(node),
    safe: key === "get" || key === "head" || dialect.safe.read(node),
    timeout: dialect.timeout.read(node),
    pagination: dialect.pagination.read(node),
    stream: dialect.stream.read(node),
  };
}

function readParameters(document: object, item: Place, operation: Place): Parameter[] {
  const all = [item, operation].flatMap((holder) =>
    [holder.node["parameters"] ?? []].flat().map((_, index) => readParameter(document, holder, index)),
  );
  // Keyed by location and name: the operation's own parameter replaces the path's, in its position.
  return [...new Map(all.map((one) => [`${one.in} ${one.name}`, one])).values()];
}

function readParameter(document: object, holder: Place, index: number): Parameter {
  const place = locateIn(document, holder, "parameters", index);
  const { node } = place;
  const where = ["path", "query", "header", "cookie"] as const;
  return {
    ...place,
    name: text(node["name"]),
    in: where.find((one) => one === node["in"]) ?? "query",
    required: node["required"] === true,
    description: text(node["description"]),
    deprecated: node["deprecated"] === true,
    schema: locateIn(document, place, "schema"),
    example: firstOf(readExamples(document, place)),
    clientOption: dialect.clientOption.read(node),
  };
}

function readBody(document: object, operation: Place): RequestBody | undefined {
  if (!isObject(operation.node["requestBody"])) return undefined;
  const place = locateIn(document, operation, "requestBody");
  return {
    ...place,
    required: place.node["required"] === true,
    description: text(place.node["description"]),
    content: readContent(document, place),
  };
}

function readResponse(document: object, status: string, place: Place): [string, DocumentResponse] {
  const headers = locateAll(document, place, "headers").map(([name, header]): [string, ResponseHeader] => [
    name,
    {
      ...header,
      description: text(header.node["description"]),
      required: header.node["required"] === true,
      schema: locateIn(document, header, "schema"),
      example: firstOf(readExamples(document, header)),
    },
  ]);
  const description = text(place.node["description"]);
  return [status, { ...place, status, description, content: readContent(document, place), headers: new Map(headers) }];
}

function firstOf(examples: ReadonlyMap<string, unknown>): unknown {
  return examples.values().next().value;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
