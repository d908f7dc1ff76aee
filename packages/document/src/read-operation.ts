import { isObject } from "@trainyard/core/validation";
import { deriveResend } from "./derive.ts";
import { deriveStream } from "./derive-stream.ts";
import { dialect } from "./dialect.ts";
import type { HttpMethod } from "./http-method.ts";
import { readContent, readExamples } from "./media.ts";
import {
  isKeyed,
  type DocumentResponse,
  type Operation,
  type Parameter,
  type RequestBody,
  type ResponseHeader,
} from "./operation.ts";
import { locateAll, locateIn, textOf, type Located } from "./locate.ts";
import { readStyle } from "./parameter-style.ts";
import { readSecurity } from "./security.ts";

/** Reads one operation, without what depends on other operations: names, and a method that the document does not name. */
export function readOperation(document: object, item: Located, key: HttpMethod, path: string): Operation {
  const located = locateIn(document, item, key);
  const { node } = located;
  const clientMethod = dialect.clientMethod.read(node);
  const aliasOf = dialect.aliasOf.read(node);
  const parameters = readParameters(document, item, located);
  const resend = dialect.resend.read(node);
  const derivedResend = deriveResend(key, isKeyed({ parameters }));
  const id = textOf(node["operationId"]) || `${key} ${path}`;
  // `fetch` cannot send a body with these, and HTTP gives it no meaning.
  const body = key === "get" || key === "head" || key === "trace" ? undefined : readBody(document, located);
  const responses = new Map(locateAll(document, located, "responses").map((found) => readResponse(document, ...found)));
  // A document of this dialect says which operations stream.
  const isOurs = dialect.version.read(Object(document));
  const stream = isOurs ? dialect.stream.read(node) : deriveStream(document, { body, responses });
  return {
    ...located,
    name: clientMethod ?? id,
    clientMethod,
    id,
    key,
    method: key.toUpperCase(),
    path,
    item,
    summary: textOf(node["summary"]),
    description: textOf(node["description"]),
    tags: [node["tags"] ?? []].flat().filter((tag) => typeof tag === "string"),
    deprecated: node["deprecated"] === true,
    basis: dialect.basis.read(node),
    aliasOf,
    aliases: [],
    parameters,
    body,
    security: readSecurity(document, located),
    responses,
    resend: resend?.rule ?? derivedResend,
    alwaysIf: resend?.alwaysIf,
    safe: key === "get" || key === "head" || key === "query" || dialect.safe.read(node),
    timeout: dialect.timeout.read(node),
    pagination: dialect.pagination.read(node),
    stream,
    derived: resend === undefined && aliasOf === undefined ? [`resend ${derivedResend} (${key.toUpperCase()})`] : [],
  };
}

function readParameters(document: object, item: Located, operation: Located): Parameter[] {
  const all = [item, operation].flatMap((holder) =>
    [holder.node["parameters"] ?? []].flat().map((_, index) => readParameter(document, holder, index)),
  );
  // Keyed by location and name: the operation's own parameter replaces the path's, in its position.
  const unique = [...new Map(all.map((one) => [`${one.in} ${one.name}`, one])).values()];
  return unique.filter((one) => !(one.in === "header" && ignoredHeaders.test(one.name)));
}

/**
 * Headers that OpenAPI does not let a document declare, because content and security do; those that only the transport can
 * write; and what is no name of a header.
 */
const ignoredHeaders =
  /^(accept|authorization|content-type|connection|content-length|host|transfer-encoding)$|[^!#$%&'*+.^`|~\w-]|^$/i;

function readParameter(document: object, holder: Located, index: number): Parameter {
  const located = locateIn(document, holder, "parameters", index);
  const { node } = located;
  const where = (["path", "query", "header", "cookie"] as const).find((one) => one === node["in"]) ?? "query";
  return {
    ...located,
    name: textOf(node["name"]),
    in: where,
    required: node["required"] === true,
    description: textOf(node["description"]),
    ...readStyle(document, located, where),
    example: firstOf(readExamples(document, located)),
    clientOption: dialect.clientOption.read(node),
  };
}

function readBody(document: object, operation: Located): RequestBody | undefined {
  if (!isObject(operation.node["requestBody"])) return undefined;
  const located = locateIn(document, operation, "requestBody");
  return {
    ...located,
    required: located.node["required"] === true,
    description: textOf(located.node["description"]),
    content: readContent(document, located),
  };
}

function readResponse(document: object, status: string, located: Located): [string, DocumentResponse] {
  const headers = locateAll(document, located, "headers").map(([name, header]): [string, ResponseHeader] => [
    name,
    {
      ...header,
      name,
      in: "header",
      description: textOf(header.node["description"]),
      required: header.node["required"] === true,
      ...readStyle(document, header, "header"),
      example: firstOf(readExamples(document, header)),
    },
  ]);
  const description = textOf(located.node["description"]);
  return [
    status,
    { ...located, status, description, content: readContent(document, located), headers: new Map(headers) },
  ];
}

function firstOf(examples: ReadonlyMap<string, unknown>): unknown {
  return examples.values().next().value;
}
