import { isObject, resolvePointer, type JsonObject } from "@trainyard/core/validation";

/** One operation of a document, as far as a server must know it. */
export interface DocumentOperation {
  /** What people call: `models.create`. An alias has the name of what it repeats; without a name it is the id. */
  readonly name: string;
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** With parameters in braces, without the base path of the server. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  /** Any of these suffices. Each is a set of schemes, all of which must be satisfied; the empty set needs nothing. */
  readonly security: readonly (readonly SecurityScheme[])[];
  readonly responses: ReadonlyMap<number, DocumentResponse>;
  /** The property of the body that asks for a stream. */
  readonly streamToggle: string | undefined;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  /** Where the schema stands: a JSON Pointer as a fragment. */
  readonly schemaPointer: string;
  readonly schema: JsonObject;
  readonly example: unknown;
}

export interface RequestBody {
  readonly required: boolean;
  readonly schemaPointer: string;
}

export interface SecurityScheme {
  readonly kind: "bearer" | "basic" | "header" | "query";
  /** Of the header or the query parameter that carries the key. */
  readonly name: string;
}

export interface DocumentResponse {
  /** Named examples by media type, in the order of the document. */
  readonly content: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  /** Where the schema of what is sent stands, by media type; of a stream, that of one item. */
  readonly schemas: ReadonlyMap<string, string>;
  /** An example of each header that has one. */
  readonly headers: ReadonlyMap<string, unknown>;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Reads all operations of a bundled document. */
export function readOperations(document: object): DocumentOperation[] {
  const paths = objectAt(document, "#/paths");
  const operations = Object.keys(paths).flatMap((path) => {
    const item = locate(document, `#/paths/${escape(path)}`);
    return methods
      .filter((method) => isObject(item.node[method]))
      .map((method) => readOperation(document, item, method, path));
  });
  const names = new Map(operations.map(({ operation }) => [operation.id, operation.name]));
  return operations.map(({ operation, aliasOf }) => ({ ...operation, name: names.get(aliasOf) ?? operation.name }));
}

/** The path under which a document's first server answers, without a slash at the end: `/inference/v1`, or nothing. */
export function readPrefix(document: object): string {
  const server = objectAt(document, "#/servers/0");
  const variables = isObject(server["variables"]) ? server["variables"] : {};
  const url = text(server["url"]).replace(/\{([^}]*)\}/g, (_, name) => {
    const variable = variables[name];
    return isObject(variable) ? text(variable["default"]) : "";
  });
  return URL.canParse(url, "http://front.invalid")
    ? new URL(url, "http://front.invalid").pathname.replace(/\/+$/, "")
    : "";
}

function readOperation(document: object, item: Place, method: string, path: string) {
  const { node, pointer } = locate(document, `${item.pointer}/${method}`);
  const id = text(node["operationId"]) || `${method} ${path}`;
  const stream = node["x-stream"];
  const operation: DocumentOperation = {
    name: text(node["x-client-method"]) || id,
    id,
    method: method.toUpperCase(),
    path,
    parameters: [...readParameters(document, item), ...readParameters(document, { node, pointer })],
    body: readBody(document, node, pointer),
    security: readSecurity(document, node),
    responses: readResponses(document, node, pointer),
    streamToggle: isObject(stream) ? text(stream["toggle"]) || undefined : undefined,
  };
  return { operation, aliasOf: text(node["x-alias-of"]) };
}

function readParameters(document: object, { node, pointer }: Place): Parameter[] {
  return [node["parameters"] ?? []].flat().map((_, index) => {
    const found = locate(document, `${pointer}/parameters/${index}`);
    const schema = locate(document, `${found.pointer}/schema`);
    return {
      name: text(found.node["name"]),
      in: text(found.node["in"]),
      required: found.node["required"] === true,
      schemaPointer: schema.pointer,
      schema: schema.node,
      example: found.node["example"] ?? [...readExamples(document, found).values()][0],
    };
  });
}

function readBody(document: object, operation: JsonObject, pointer: string): RequestBody | undefined {
  if (!isObject(operation["requestBody"])) return undefined;
  const body = locate(document, `${pointer}/requestBody`);
  const type = Object.keys(objectAt(body.node, "#/content")).find(isJson);
  if (type === undefined) return undefined;
  return { required: body.node["required"] === true, schemaPointer: `${body.pointer}/content/${escape(type)}/schema` };
}

function readResponses(document: object, operation: JsonObject, pointer: string): Map<number, DocumentResponse> {
  const statuses = Object.keys(isObject(operation["responses"]) ? operation["responses"] : {});
  return new Map(
    statuses
      .filter((status) => /^\d{3}$/.test(status))
      .map((status) => {
        const response = locate(document, `${pointer}/responses/${status}`);
        const types = Object.keys(objectAt(response.node, "#/content"));
        const content = types.map((type): [string, Map<string, unknown>] => [
          type,
          readExamples(document, locate(document, `${response.pointer}/content/${escape(type)}`)),
        ]);
        const schemas = types.map((type): [string, string] => [type, schemaPointer(document, response.pointer, type)]);
        const headers = readHeaders(document, response);
        return [Number(status), { content: new Map(content), schemas: new Map(schemas), headers }];
      }),
  );
}

function readHeaders(document: object, response: Place): Map<string, unknown> {
  const headers = new Map<string, unknown>();
  for (const name of Object.keys(objectAt(response.node, "#/headers"))) {
    const header = locate(document, `${response.pointer}/headers/${escape(name)}`);
    const example = [...readExamples(document, header).values()][0];
    if (example !== undefined) headers.set(name, example);
  }
  return headers;
}

function schemaPointer(document: object, response: string, type: string): string {
  const schema = locate(document, `${response}/content/${escape(type)}/schema`);
  return isObject(schema.node["contentSchema"]) ? `${schema.pointer}/contentSchema` : schema.pointer;
}

function readExamples(document: object, { node, pointer }: Place): Map<string, unknown> {
  const named = Object.keys(isObject(node["examples"]) ? node["examples"] : {});
  const examples = new Map(
    named.map((name) => [name, locate(document, `${pointer}/examples/${escape(name)}`).node["value"]]),
  );
  if ("example" in node) examples.set("default", node["example"]);
  return examples;
}

function readSecurity(document: object, operation: JsonObject): SecurityScheme[][] {
  const stated = operation["security"] ?? objectAt(document, "#")["security"] ?? [];
  return [stated].flat().map((requirement) =>
    Object.keys(isObject(requirement) ? requirement : {}).map((name): SecurityScheme => {
      const scheme = locate(document, `#/components/securitySchemes/${escape(name)}`).node;
      if (scheme["type"] === "apiKey") {
        return { kind: scheme["in"] === "query" ? "query" : "header", name: text(scheme["name"]) };
      }
      const kind = text(scheme["scheme"]).toLowerCase() === "basic" ? "basic" : "bearer";
      return { kind, name: "Authorization" };
    }),
  );
}

/** Whether a media type is JSON: `application/json`, `application/problem+json; charset=utf-8`. */
export function isJson(mediaType: string): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(mediaType.trim());
}

interface Place {
  readonly node: JsonObject;
  readonly pointer: string;
}

/** What stands at a pointer, and where it really stands when that is a reference. */
function locate(document: object, pointer: string): Place {
  let place = pointer;
  let node = resolvePointer(document, place);
  for (let hops = 0; isObject(node) && typeof node["$ref"] === "string" && hops < 32; hops++) {
    place = node["$ref"];
    node = resolvePointer(document, place);
  }
  return { node: isObject(node) ? node : {}, pointer: place };
}

function objectAt(document: object, pointer: string): JsonObject {
  const node = resolvePointer(document, pointer);
  return isObject(node) ? node : {};
}

function escape(key: string): string {
  return encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
