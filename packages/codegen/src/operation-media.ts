import {
  referenceName,
  resolve,
  type OpenApiDocument,
  type Operation,
  type RequestBody,
  type Response,
  type Schema,
} from "./document.ts";
import type { OperationInfo } from "./operation-info.ts";
import type { Reading } from "./operation-parameters.ts";

/** A successful answer: its type, and the schema and response that it comes from. */
export interface Answer {
  readonly info: OperationInfo["result"];
  readonly schema: Schema;
  readonly response: Response;
}

/** A body that can be sent: its type, and the schema that it comes from. */
export interface Body {
  readonly info: NonNullable<OperationInfo["body"]>;
  readonly schema: Schema;
}

export function readResult({ document, operation, fault }: Reading, name: string): Answer | undefined {
  const [status, found] = Object.entries(operation.responses ?? {}).find(([key]) => key.startsWith("2")) ?? [];
  const response = found === undefined ? undefined : resolve(document, "responses", found);
  const schema = response?.content?.["application/json"]?.schema;
  if (status === undefined || response === undefined || schema === undefined) {
    const cure = "Declare a response 200 with `content: application/json` and a schema.";
    fault(`${name} has no successful answer in JSON.`, cure, status === undefined ? [] : ["responses", status]);
    return undefined;
  }
  const type = schema.$ref === undefined ? "unknown" : referenceName(schema.$ref);
  const { description } = response;
  return { info: { type, ...(description !== undefined && { description }) }, schema, response };
}

/** Undefined where the operation has no body, null where it has one that cannot be sent. */
export function readBody({ document, operation, fault }: Reading, name: string): Body | undefined | null {
  if (operation.requestBody === undefined) return undefined;
  const { content, description, required }: RequestBody = resolve(document, "requestBodies", operation.requestBody);
  const schema = content?.["application/json"]?.schema;
  if (schema === undefined) {
    fault(`The body of ${name} is not JSON.`, "Declare it under `application/json`.", ["requestBody"]);
    return null;
  }
  const type = schema.$ref === undefined ? "unknown" : referenceName(schema.$ref);
  return { info: { type, required: required === true, ...(description !== undefined && { description }) }, schema };
}

/** The type of an array's items, looked for through references and allOf. */
function itemsOf(document: OpenApiDocument, schema: Schema, property: string): string | undefined {
  const target = resolve(document, "schemas", schema);
  const own = target.properties?.[property];
  const items = own === undefined ? undefined : resolve(document, "schemas", own).items;
  if (typeof items === "object" && items.$ref !== undefined) return referenceName(items.$ref);
  for (const part of target.allOf ?? []) {
    const found = itemsOf(document, part, property);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function readPage({ document, operation, fault, parameters }: Reading, result: Schema): OperationInfo["page"] {
  const pagination = operation["x-pagination"];
  if (pagination === undefined) return undefined;
  const type = itemsOf(document, result, "data");
  if (type === undefined) {
    fault("x-pagination needs an answer with `data`, an array whose items are a $ref.", "Correct the schema of 200.");
    return undefined;
  }
  if (!parameters.some((one) => one.in === "query" && one.name === pagination.cursor)) {
    const cure = `Declare the query parameter ${pagination.cursor}, or correct \`cursor\`.`;
    fault(`x-pagination has the cursor ${pagination.cursor}, which is no query parameter.`, cure);
    return undefined;
  }
  return { cursor: pagination.cursor, item: pagination.item, more: pagination.more, type };
}

export function readStream(
  { document, operation, fault }: Reading,
  { content }: Response,
  body: Schema | undefined,
): OperationInfo["stream"] {
  const stream = operation["x-stream"];
  if (stream === undefined) return undefined;
  const item = content?.["text/event-stream"]?.schema?.contentSchema?.$ref;
  if (item === undefined) {
    const cure =
      "Add `text/event-stream` with `{type: string, contentMediaType: application/json, contentSchema: {$ref}}`.";
    fault("x-stream needs an answer 200 that says what an item of the stream is.", cure);
    return undefined;
  }
  if (body === undefined || resolve(document, "schemas", body).properties?.[stream.toggle] === undefined) {
    const cure = `Add the boolean ${stream.toggle} to the body, or correct \`toggle\`.`;
    fault(`x-stream is switched on by ${stream.toggle}, which the body does not have.`, cure);
    return undefined;
  }
  const { toggle, end, fold } = stream;
  if (fold === undefined) {
    fault(
      "x-stream does not say how the items add up to the answer.",
      "Add `fold: chat`, or another that core exports.",
    );
    return undefined;
  }
  return { toggle, end, fold, type: referenceName(item) };
}

export function readFailures(document: OpenApiDocument, operation: Operation): OperationInfo["failures"] {
  return Object.entries(operation.responses ?? {})
    .filter(([status]) => !status.startsWith("2"))
    .map(([status, response]) => ({ status, description: resolve(document, "responses", response).description ?? "" }))
    .toSorted((a, b) => (a.status < b.status ? -1 : 1));
}
