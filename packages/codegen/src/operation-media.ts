import { isObject } from "@trainyard/core/validation";
import {
  basisAt,
  branchesOf,
  combining,
  eventsOf,
  jsonOf,
  locate,
  locateIn,
  mediaKind,
  preferredMedia,
  shapeOf,
  sentType,
  successAnswers,
  successesOf,
  typeName,
  type AnswerKind,
  type Media,
  type Operation,
  type Located,
} from "@trainyard/document";
import type { BodyType, OperationInfo, Refuse } from "./operation-info.ts";

/** The type of an unnamed schema, which accepts any value: inline schemas got names before. */
const typeOf = ({ schema }: Media): string => typeName(schema) ?? "unknown";

const answerTypes: Readonly<Record<Exclude<AnswerKind, "json">, string>> = {
  none: "undefined",
  text: "string",
  any: "unknown",
  bytes: "Blob",
  events: "AsyncIterable<{ readonly data: string; readonly type: string }>",
};

/** What a call returns. An operation that declares no success returns what arrives. */
export function readResult(root: object, operation: Operation): OperationInfo["result"] {
  const [{ status, description } = { status: "default", description: "" }] = successesOf(operation.responses);
  const { all, accept, kinds } = successAnswers(operation);
  const types = all.map(
    ({ kind, media }) => (kind === "json" ? media && typeOf(media) : answerTypes[kind]) ?? "unknown",
  );
  const type = types.every((one) => one === "undefined") ? "void" : unionOf(types);
  const media = all.find((one) => one.media !== undefined)?.media;
  const [{ kind } = { kind: "none" as const }] = all;
  const json = all.filter((one) => one.kind === "json");
  const required = (isFirm: boolean) => ofEach(json.map(({ media }) => requiredIn(root, media?.schema, isFirm)));
  return {
    type,
    kind: all.every((one) => one.kind === kind) ? kind : "mixed",
    ...(types.length === 1 && media !== undefined && { mediaType: media.mediaType }),
    ...(accept !== undefined && { accept }),
    ...(kinds !== undefined && { answers: kinds }),
    needs: required(true),
    expects: required(false),
    status,
    description,
  };
}

/**
 * What every value of a schema has: the names of its required properties; none if it is a list. Undefined if it may be
 * anything else, or if nothing is required. With `isFirm`, what is adopted or proposed does not count.
 */
function requiredIn(
  root: object,
  schema: Located | undefined,
  isFirm: boolean,
  depth = 0,
): readonly string[] | undefined {
  if (schema === undefined || depth > 8) return undefined;
  const { $ref, type, properties } = schema.node;
  const isWeak = isFirm && (basisAt(root, schema.pointer) ?? "interface") !== "interface";
  const required = isWeak ? [] : (schema.node["required"] ?? []);
  if (type === "array") return isWeak ? undefined : [];
  if (type === undefined ? $ref === undefined && !isCombined(schema.node) && !isObject(properties) : type !== "object")
    return undefined;
  const branches = (key: string): (readonly string[] | undefined)[] =>
    [schema.node[key] ?? []]
      .flat()
      .map((_, index) => requiredIn(root, locateIn(root, schema, key, index), isFirm, depth + 1));
  const target = typeof $ref === "string" ? requiredIn(root, locate(root, $ref), isFirm, depth + 1) : undefined;
  const all = [target, ...branches("allOf"), ofEach(branches("anyOf")), ofEach(branches("oneOf"))];
  const isList = all.some((names) => names?.length === 0);
  const names = [...new Set([...[required].flat().map(String), ...all.flatMap((one) => one ?? [])])];
  return isList || names.length > 0 ? names : undefined;
}

const isCombined = (node: object): boolean => combining.some((key) => key in node);

/** What several schemas have in common. */
function ofEach([first, ...others]: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  if (first === undefined || others.some((one) => (one?.length === 0) !== (first.length === 0))) return undefined;
  const common = first.filter((name) => others.every((one) => one?.includes(name)));
  return first.length > 0 && common.length === 0 ? undefined : common;
}

function unionOf(types: readonly string[]): string {
  return types.includes("unknown") ? "unknown" : [...new Set(types)].join(" | ");
}

const bodyTypes = {
  form: "{ readonly [name: string]: unknown }",
  multipart: "{ readonly [name: string]: unknown }",
  text: "string",
  bytes: "string | Blob | ArrayBuffer | ReadableStream",
};

export function readBody({ body }: Operation): OperationInfo["body"] {
  if (body === undefined || body.content.size === 0) return undefined;
  const { required, description } = body;
  const types = preferredMedia(body.content).map((media): BodyType => {
    const kind = mediaKind(media.mediaType);
    const own = kind === "any" || kind === "events" ? "bytes" : kind;
    const isNamed = own !== "text" && own !== "bytes" && typeName(media.schema) !== undefined;
    const { encoding } = media.node;
    return {
      mediaType: sentType(media),
      kind: own,
      type: own === "json" || isNamed ? typeOf(media) : bodyTypes[own],
      encoding: isObject(encoding) ? encoding : {},
    };
  });
  const [first] = types;
  if (first === undefined) return undefined;
  const isPlain = types.length === 1 && first.mediaType === "application/json";
  if (isPlain) return { type: first.type, required, description };
  const members = types.map(({ mediaType, type }) => `${JSON.stringify(mediaType)}: ${type}`);
  const type = types.length === 1 ? first.type : `{ ${members.join("; ")} }[Sent]`;
  return { type, required, description, types };
}

/** The type of an array's items, found through references and allOf. */
function itemsOf(root: object, schema: Located, property: string): string | undefined {
  const items = branchesOf(root, [schema]).map((one) =>
    typeName(locateIn(root, locateIn(root, one, "properties", property), "items")),
  );
  return items.find((name) => name !== undefined);
}

export function readPage(root: object, operation: Operation, refuse: Refuse): OperationInfo["page"] {
  const { pagination, parameters } = operation;
  if (pagination === undefined) return undefined;
  const page = jsonOf(successesOf(operation.responses)[0]?.content ?? new Map())?.schema;
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
  const content = successesOf(operation.responses).find((one) => eventsOf(one.content))?.content ?? new Map();
  const item = eventsOf(content)?.item;
  if (item === undefined) {
    const cure =
      "Add `text/event-stream` with `{type: string, contentMediaType: application/json, contentSchema: {$ref}}`.";
    refuse("x-stream needs a response 200 that defines an item of the stream.", cure);
    return undefined;
  }
  const requested = body && (jsonOf(body.content) ?? [...body.content.values()][0])?.schema;
  if (stream.toggle !== undefined && (!requested || !shapeOf(root, requested).properties.has(stream.toggle))) {
    const cure = `Add the boolean ${stream.toggle} to the body, or correct \`toggle\`.`;
    refuse(`x-stream has the toggle ${stream.toggle}, which the body does not have.`, cure);
    return undefined;
  }
  return { ...stream, type: typeName(item) ?? "unknown" };
}

export function readFailures(operation: Operation): OperationInfo["failures"] {
  const successes = new Set(successesOf(operation.responses).map(({ status }) => status));
  return [...operation.responses.values()]
    .filter(({ status }) => !successes.has(status))
    .map(({ status, description }) => ({ status, description }))
    .toSorted((a, b) => (a.status < b.status ? -1 : 1));
}
