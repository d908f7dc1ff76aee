import type { Fault } from "@trainyard/core/validation";
import { jsonOf, mediaKind, mediaFor, type Media, type MediaKind, type Operation } from "@trainyard/document";
import { parseBody, type Body, type BodyLimits } from "./body.ts";
import { digestOf } from "./digest.ts";
import { readParameterValues, type SentParameters } from "./parameters.ts";
import type { Validator } from "./validator.ts";

/**
 * Extracts the part of a valid body that the operation's handler needs. Runs in the thread that validates the body; the
 * result must be transferable between threads.
 */
export type Reader = (body: never) => unknown;

/** Readers by operation name. */
export type Readers = Readonly<Record<string, Reader>>;

/** A body, and the faults of its JSON. */
export interface JudgedBody {
  /** The JSON value, or the result of the operation's reader if there is one and the body is valid. */
  readonly body: Body;
  readonly faults: readonly Fault[];
  /** A digest of the original value. It does not depend on the order of properties. */
  readonly digest?: string;
}

/** The media type that a body was sent as, whether its digest is wanted, and who takes the turn. */
export interface Asked {
  readonly digest: boolean;
  readonly mediaType?: string | undefined;
  readonly owner?: string | undefined;
}

/**
 * Parses and validates a complete body. Large ones may be validated in another thread, to which the bytes are transferred.
 * With `digest`, the result for a valid body includes one.
 */
export type JudgeBody = (
  operation: Operation,
  bytes: Uint8Array<ArrayBuffer>,
  limits: BodyLimits,
  ask?: Asked,
) => JudgedBody | Promise<JudgedBody>;

/** Validates bodies in this thread, synchronously. */
export function judgeHere(validator: Validator, readers: Readers = {}) {
  return (...[operation, bytes, limits, ask]: Parameters<JudgeBody>): JudgedBody => {
    const body = parseBody(bytes, limits);
    const faults = body.kind === "json" ? validator.request(operation, "body", body.value, ask?.mediaType) : [];
    if (body.kind !== "json" || faults.length > 0) return { body, faults };
    const reader = readers[operation.name];
    const digest = ask?.digest === true && { digest: digestOf(body.value) };
    if (reader === undefined) return { body, faults, ...digest };
    return { body: { ...body, value: Reflect.apply(reader, undefined, [body.value]) }, faults, ...digest };
  };
}

/** The faults of a request's parameters. */
export function judgeParameters(
  validator: Validator,
  root: object,
  operation: Operation,
  sent: SentParameters,
): Fault[] {
  return (["path", "query", "header", "cookie"] as const).flatMap((place) => {
    if (!operation.parameters.some((parameter) => parameter.in === place)) return [];
    const values = readParameterValues(root, operation.parameters, place, sent);
    return validator.request(operation, place, values);
  });
}

/** How the body of a request is read, and its schema. */
export interface Taken {
  readonly kind: MediaKind;
  readonly media: Media | undefined;
}

/**
 * Selects how to read the body of a request, by its `Content-Type`. Returns a sentence if the operation does not accept the
 * body. A body without a type is JSON, unless the operation accepts only others.
 */
export function mediaOf(operation: Operation, headers: Headers): Taken | { readonly refused: string } {
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.trim().toLowerCase() !== "identity") {
    return { refused: `The body must not have the Content-Encoding ${encoding}.` };
  }
  const content = operation.body?.content ?? new Map<string, Media>();
  const json = jsonOf(content);
  const declared = [...content.keys()];
  const type = headers.get("content-type") ?? (json ? json.mediaType : (declared[0] ?? "application/json"));
  const kind = mediaKind(type);
  if (kind === "json" && (declared.length === 0 || json !== undefined))
    return { kind, media: mediaFor(content, type) ?? json };
  const media = mediaFor(content, type);
  if (media !== undefined) return { kind, media };
  return { refused: `The body must be sent as ${declared.join(" or ")}, not as ${type}.` };
}
