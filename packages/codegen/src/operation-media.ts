import {
  eventsOf,
  locateAll,
  locateIn,
  textOf,
  typeName,
  type DocumentResponse,
  type Media,
  type Operation,
  type Located,
} from "@trainyard/document";
import type { OperationInfo, Refuse } from "./operation-info.ts";

/** The type of an unnamed schema, which accepts any value: inline schemas got names before. */
const typeOf = ({ schema }: Media): string => typeName(schema) ?? "unknown";

/** The JSON schemas of requests and responses. */
function jsonIn(content: ReadonlyMap<string, Media>): Media | undefined {
  const media = content.get("application/json");
  return media?.schema && media;
}

/** The success response of an operation. */
export function successOf({ responses }: Operation): DocumentResponse | undefined {
  return [...responses.values()].find(({ status }) => status.startsWith("2"));
}

export function readResult(operation: Operation, refuse: Refuse): OperationInfo["result"] | undefined {
  const response = successOf(operation);
  const media = response && jsonIn(response.content);
  if (media) return { type: typeOf(media), status: response.status, description: response.description };
  const text = response && textOf(response.content);
  if (text) return { type: "string", text: text.mediaType, status: response.status, description: response.description };
  const cure =
    "Declare a response 200 with `content: application/json` and a schema, or with text: `text/csv`, `application/jsonl`.";
  refuse(
    `${operation.name} has no success response in JSON or text.`,
    cure,
    response ? ["responses", response.status] : [],
  );
  return undefined;
}

/** Undefined if the operation has no body, null if it has one that cannot be sent. */
export function readBody({ name, body }: Operation, refuse: Refuse): OperationInfo["body"] | null {
  if (body === undefined) return undefined;
  const media = jsonIn(body.content);
  if (media) return { type: typeOf(media), required: body.required, description: body.description };
  refuse(`The body of ${name} is not JSON.`, "Declare it under `application/json`.", ["requestBody"]);
  return null;
}

/** The type of an array's items, found through references and allOf. */
function itemsOf(root: object, schema: Located, property: string): string | undefined {
  const own = locateAll(root, schema, "properties").find(([name]) => name === property)?.[1];
  const items = own && typeName(locateIn(root, own, "items"));
  if (items !== undefined) return items;
  const parts = Array.isArray(schema.node["allOf"]) ? schema.node["allOf"] : [];
  return parts
    .map((_, index) => itemsOf(root, locateIn(root, schema, "allOf", index), property))
    .find((found) => found !== undefined);
}

export function readPage(root: object, operation: Operation, refuse: Refuse): OperationInfo["page"] {
  const { pagination, parameters } = operation;
  if (pagination === undefined) return undefined;
  const page = jsonIn(successOf(operation)?.content ?? new Map())?.schema;
  const type = page && itemsOf(root, page, "data");
  if (type === undefined) {
    refuse("x-pagination needs a response with `data`, an array whose items are a $ref.", "Correct the schema of 200.");
    return undefined;
  }
  if (!parameters.some((one) => one.in === "query" && one.name === pagination.cursor)) {
    const cure = `Declare the query parameter ${pagination.cursor}, or correct \`cursor\`.`;
    refuse(`x-pagination has the cursor ${pagination.cursor}, which is not a query parameter.`, cure);
    return undefined;
  }
  return { ...pagination, type };
}

export function readStream(root: object, operation: Operation, refuse: Refuse): OperationInfo["stream"] {
  const { stream, body } = operation;
  if (stream === undefined) return undefined;
  const type = typeName(eventsOf(successOf(operation)?.content ?? new Map())?.item);
  if (type === undefined) {
    const cure =
      "Add `text/event-stream` with `{type: string, contentMediaType: application/json, contentSchema: {$ref}}`.";
    refuse("x-stream needs a response 200 that defines an item of the stream.", cure);
    return undefined;
  }
  const requested = body && jsonIn(body.content)?.schema;
  if (!requested || !locateAll(root, requested, "properties").some(([name]) => name === stream.toggle)) {
    const cure = `Add the boolean ${stream.toggle} to the body, or correct \`toggle\`.`;
    refuse(`x-stream has the toggle ${stream.toggle}, which the body does not have.`, cure);
    return undefined;
  }
  const { toggle, end, fold } = stream;
  if (fold === undefined) {
    refuse(
      "x-stream does not define how its items are combined.",
      "Add `fold: chat`, or another fold that core exports.",
    );
    return undefined;
  }
  return { toggle, end, fold, type };
}

export function readFailures({ responses }: Operation): OperationInfo["failures"] {
  return [...responses.values()]
    .filter(({ status }) => !status.startsWith("2"))
    .map(({ status, description }) => ({ status, description }))
    .toSorted((a, b) => (a.status < b.status ? -1 : 1));
}
