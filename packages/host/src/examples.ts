import {
  essenceOf,
  jsonOf,
  mediaKind,
  mediaFor,
  responseOf,
  writeStyled,
  type DocumentResponse,
  type Media,
  type Operation,
} from "@trainyard/document";
import { sampleOf } from "./sample.ts";

/** Selects a response of a document. Default: the first JSON example of the first success response. */
export interface Wanted {
  readonly status?: number | undefined;
  /** The name of an example. */
  readonly example?: string | undefined;
  /** Used if the response has it. */
  readonly mediaType?: string | undefined;
}

/** A response as shown in the document. */
export interface Example {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType: string | undefined;
  /** Undefined if it has no body. */
  readonly body: unknown;
  /** The name of the example; `generated` for a body that was generated from the schema. */
  readonly name: string;
}

/**
 * Returns a response from the document, or a sentence that says why there is none.
 *
 * @param root the document, to generate a body from its schema if there is no example
 */
export function exampleOf(operation: Operation, wanted: Wanted, root?: object): Example | string {
  const status = wanted.status ?? successOf(operation);
  const response = responseOf(operation, status);
  if (response === undefined) {
    // A document need not declare any response.
    if (wanted.status === undefined)
      return { status, headers: {}, mediaType: undefined, body: undefined, name: "empty" };
    const there = [...operation.responses.keys()].join(", ");
    return `${operation.name} declares no response ${status}. It declares: ${there}.`;
  }
  const media = chooseMedia(response, wanted.mediaType);
  const name = wanted.example ?? media?.examples.keys().next().value;
  const shown = { status, headers: headersOf(response, root) };
  if (name !== undefined && media?.examples.has(name)) {
    const body = media.examples.get(name);
    return { ...shown, mediaType: sentType(media, body), name, body };
  }
  if (name !== undefined) {
    const names = [...(media?.examples.keys() ?? [])].join(", ") || "none";
    return `The response ${status} of ${operation.name} has no example "${name}". There are: ${names}.`;
  }
  if (media === undefined) return { ...shown, mediaType: undefined, name: "empty", body: undefined };
  if (root === undefined) return `The response ${status} of ${operation.name} has no example in its document.`;
  return { ...shown, mediaType: sentType(media), name: "generated", body: generatedBody(root, media) };
}

/** The status of the lowest success response, else of the first response; 200 if there are none. */
export function successOf({ responses }: Operation): number {
  const statuses = [...responses.keys()]
    .map((key) => Number(key.replace(/XX$/i, "00")))
    .filter((status) => Number.isInteger(status) && status >= 200);
  const successes = statuses.filter((status) => status < 300);
  if (successes.length > 0) return Math.min(...successes);
  return responses.has("default") ? 200 : (statuses[0] ?? 200);
}

function chooseMedia({ content }: DocumentResponse, wanted: string | undefined): Media | undefined {
  return (wanted === undefined ? undefined : mediaFor(content, wanted)) ?? jsonOf(content) ?? [...content.values()][0];
}

/** The media type that a body is sent as. A range is JSON if its schema says anything, else what the body is. */
function sentType({ mediaType, schema }: Media, body?: unknown): string {
  if (!essenceOf(mediaType).endsWith("/*")) return mediaType;
  const kind = mediaKind(mediaType);
  if (kind === "text") return "text/plain";
  if (kind === "bytes") return essenceOf(mediaType).replace("image/*", "image/png").replace("*", "octet-stream");
  const isText = body === undefined || typeof body === "string";
  return isText && Object.keys(schema?.node ?? {}).length === 0 ? "text/plain" : "application/json";
}

/** A body by its schema; for bytes, some bytes. */
function generatedBody(root: object, media: Media): unknown {
  const kind = mediaKind(sentType(media));
  if (kind === "bytes") return new TextEncoder().encode("bytes");
  const schema = media.item ?? media.schema;
  if (schema !== undefined) return sampleOf(root, schema).value;
  if (kind === "json") return {};
  return essenceOf(media.mediaType).endsWith("xml") ? "<root></root>" : "text";
}

/** Headers of one message, which the host and the server themselves write: an example would contradict the body that is sent. */
const ofMessage = /^(x-request-id|content-(length|encoding|type)|transfer-encoding|connection|date)$/i;

/**
 * The headers that have an example, as far as HTTP can send it.
 *
 * @param root the document, to make a value of the schema for a header that must be sent, or that says where to look next
 */
export function headersOf({ headers }: DocumentResponse, root?: object): Record<string, string> {
  return Object.fromEntries(
    [...headers]
      .filter(([name]) => !ofMessage.test(name))
      .flatMap(([name, header]): (readonly [string, string | string[]])[] => {
        const { example, required, schema } = header;
        if (typeof example === "string") return [[name, example]];
        const isSent = example !== undefined || required || name.toLowerCase() === "location";
        const made = example === undefined && root !== undefined && isSent ? sampleOf(root, schema) : undefined;
        try {
          return made !== undefined && made.faults.length > 0 ? [] : writeStyled(header, example ?? made?.value);
        } catch {
          // OpenAPI does not define how such a value is written.
          return [];
        }
      })
      .map(([name, text]) => [name, String(text)] as const)
      .filter(([, text]) => /^[\t -~\x80-\xff]*$/.test(text)),
  );
}
