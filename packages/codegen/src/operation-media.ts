import { isObject } from "@trainyard/core/validation";
import {
  eventsOf,
  jsonOf,
  locateAll,
  locateIn,
  mediaKind,
  typeName,
  type DocumentResponse,
  type Media,
  type MediaKind,
  type Operation,
  type Located,
} from "@trainyard/document";
import type { AnswerKind, BodyType, OperationInfo, Refuse } from "./operation-info.ts";

/** The type of an unnamed schema, which accepts any value: inline schemas got names before. */
const typeOf = ({ schema }: Media): string => typeName(schema) ?? "unknown";

/** Kinds of media in the order in which an operation uses the first that it declares. */
const preferred: readonly MediaKind[] = ["json", "form", "multipart", "text", "any", "bytes", "events"];

/** The media of a body or answer, the preferred one first. */
function mediaOf(content: ReadonlyMap<string, Media>): { readonly kind: MediaKind; readonly media: Media }[] {
  const all = [...content.values()].map((media) => ({ kind: mediaKind(media.mediaType), media }));
  return all.toSorted((a, b) => preferred.indexOf(a.kind) - preferred.indexOf(b.kind));
}

/** The media type that is sent and asked for: JSON by its plain name, whatever its parameters and case. */
function sentType({ mediaType }: Media): string {
  return /^application\/json\s*(;|$)/i.test(mediaType.trim()) ? "application/json" : mediaType;
}

/** The responses of success, the lowest first; `default` if it is the only one. */
export function successesOf(responses: Operation["responses"]): DocumentResponse[] {
  const all = [...responses.values()];
  const declared = all.filter(({ status }) => status.startsWith("2"));
  if (declared.length > 0) return declared.toSorted((a, b) => (a.status < b.status ? -1 : 1));
  return all.filter(({ status }) => status === "default");
}

/** How the answer of a status is read; undefined if it has no content. */
function answerOf(response: DocumentResponse): { readonly kind: MediaKind; readonly media: Media } | undefined {
  if (/^20[45]$/.test(response.status)) return undefined;
  const media = jsonOf(response.content);
  return media ? { kind: "json", media } : mediaOf(response.content)[0];
}

const answerTypes: Readonly<Record<Exclude<MediaKind, "json">, string>> = {
  form: "string",
  multipart: "Blob",
  text: "string",
  any: "unknown",
  bytes: "Blob",
  events: "AsyncIterable<{ readonly data: string; readonly type: string }>",
};

/** What a call returns. An operation that declares no success returns what arrives. */
export function readResult(operation: Operation): OperationInfo["result"] {
  const responses = successesOf(operation.responses);
  const [first] = responses;
  if (first === undefined) {
    const answers = { default: "any" } as const;
    return { type: "unknown", kind: "any", accept: "*/*", answers, status: "default", description: "" };
  }
  const { status, description } = first;
  const answers = responses.map((response) => ({ status: response.status, answer: answerOf(response) }));
  const kinds = answers.map(({ answer }) => readerOf(answer?.kind));
  const types = answers.map(({ answer }) => {
    if (answer === undefined) return "undefined";
    return answer.kind === "json" ? typeOf(answer.media) : answerTypes[answer.kind];
  });
  const type = types.every((one) => one === "undefined") ? "void" : unionOf(types);
  const media = answers.flatMap(({ answer }) => answer?.media ?? []);
  const accepted = [...new Set(media.map(sentType))];
  const accept = accepted.some((one) => one !== "application/json")
    ? [...new Set([...accepted, "application/json"])].join(", ")
    : undefined;
  const isPlain = kinds.every((kind) => kind === (accept === undefined ? "json" : "text"));
  return {
    type,
    kind: kinds.every((kind) => kind === kinds[0]) ? (kinds[0] ?? "none") : "mixed",
    ...(types.length === 1 && media[0] !== undefined && { mediaType: media[0].mediaType }),
    ...(accept !== undefined && { accept }),
    ...(!isPlain && { answers: kindsByStatus(answers.map((one, index) => [one.status, kinds[index] ?? "none"])) }),
    status,
    description,
  };
}

/** The reader in `core` of an answer. */
function readerOf(kind: MediaKind | undefined): AnswerKind {
  return kind === undefined ? "none" : kind === "form" ? "text" : kind === "multipart" ? "bytes" : kind;
}

function unionOf(types: readonly string[]): string {
  return types.includes("unknown") ? "unknown" : [...new Set(types)].join(" | ");
}

/** The kinds that differ from `default`, which is that of a range, or else of the first status. */
function kindsByStatus(kinds: readonly (readonly [status: string, kind: AnswerKind])[]): Record<string, AnswerKind> {
  const rest = (kinds.find(([status]) => !/^\d{3}$/.test(status)) ?? kinds[0])?.[1] ?? "none";
  return Object.fromEntries([
    ...kinds.filter(([status, kind]) => kind !== rest && /^\d{3}$/.test(status)),
    ["default", rest],
  ]);
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
  const types = mediaOf(body.content).map(({ kind, media }): BodyType => {
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
  const type = typeName(eventsOf(successesOf(operation.responses)[0]?.content ?? new Map())?.item);
  if (type === undefined) {
    const cure =
      "Add `text/event-stream` with `{type: string, contentMediaType: application/json, contentSchema: {$ref}}`.";
    refuse("x-stream needs a response 200 that defines an item of the stream.", cure);
    return undefined;
  }
  const requested = body && jsonOf(body.content)?.schema;
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

export function readFailures(operation: Operation): OperationInfo["failures"] {
  const successes = new Set(successesOf(operation.responses).map(({ status }) => status));
  return [...operation.responses.values()]
    .filter(({ status }) => !successes.has(status))
    .map(({ status, description }) => ({ status, description }))
    .toSorted((a, b) => (a.status < b.status ? -1 : 1));
}
