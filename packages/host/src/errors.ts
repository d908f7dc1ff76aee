import { formatLoc, isObject, type JsonObject } from "@trainyard/core/validation";
import {
  jsonOf,
  mediaKind,
  preferredMedia,
  responseOf,
  shapeOf,
  type Document,
  type Media,
  type Operation,
} from "@trainyard/document";
import { exampleOf, type Example } from "./examples.ts";
import type { Refusal } from "./refusal.ts";
import { sampleOf } from "./sample.ts";
import type { Validator } from "./validator.ts";

/** An error response. */
export interface WrittenError {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Default: `application/json`. */
  readonly mediaType?: string | undefined;
}

/** Creates the error response of an operation, or of a request without one. */
export type Errors = (operation: Operation | undefined, refusal: Refusal) => WrittenError;

/**
 * Creates the function that writes errors in the form of a document: the example of the declared response, with a more
 * specific message if the host has one. If no response is declared for the status, uses the body of another error of the
 * same document, so that a client finds the message in the same place.
 */
export function createErrors({ operations, root }: Document, validator: Validator): Errors {
  const alike = new Map<number, ReturnType<typeof alikeBody>>();
  const anyError = (refusal: Refusal): WrittenError => {
    const { refusal: status, faults, message, otherwise = "The request was rejected." } = refusal;
    if (faults && status === 422) return { headers: {}, body: { detail: faults } };
    const found = alike.get(status) ?? alikeBody(root, operations, status);
    alike.set(status, found);
    const { body, isSame, isShown, schema } = found;
    if (!isShown) return { headers: {}, body: withMessage(body, message ?? otherwise) };
    if (message === undefined && isSame) return { headers: {}, body };
    const specific = { ...refusal, message: message ?? otherwise };
    const short = fill(pick(body), specific);
    const isValid = schema === undefined || validator.at(schema.pointer, short, "response").length === 0;
    return { headers: {}, body: isValid ? short : fill(body, specific) };
  };
  const write = (example: Example | string, refusal: Refusal): WrittenError => {
    if (typeof example === "string") return anyError(refusal);
    const { body, headers } = example;
    if (!isObject(body)) return refusal.message === undefined ? { headers, body } : { ...anyError(refusal), headers };
    if (refusal.faults && Array.isArray(body["detail"])) {
      return { headers, body: { ...body, detail: refusal.faults } };
    }
    // An example without a message is not the one to use.
    if (refusal.message !== undefined && messageKeyOf(body) === undefined) return { ...anyError(refusal), headers };
    return { headers, body: fill(body, refusal) };
  };
  return (operation, refusal) => {
    const declared = operation && responseOf(operation, refusal.refusal);
    if (operation === undefined || declared === undefined) return anyError(refusal);
    const media = jsonOf(declared.content);
    const text = preferredMedia(declared.content).find((one) => mediaKind(one.mediaType) === "text");
    const { message, otherwise = "The request was rejected." } = refusal;
    if (media === undefined && text !== undefined && text.examples.size === 0)
      return { headers: {}, body: message ?? otherwise, mediaType: text.mediaType };
    const names = [...(media?.examples.keys() ?? [])];
    const wanted = refusal.example && names.find((name) => refusal.example?.test(name));
    const example = exampleOf(operation, { status: refusal.refusal, example: wanted }, root);
    // A generated message says nothing.
    const isGenerated = typeof example !== "string" && example.name === "generated";
    const specific = isGenerated ? { ...refusal, message: message ?? otherwise } : refusal;
    const error = write(example, specific);
    const mediaType = media?.mediaType;
    if (media?.schema === undefined || typeof example === "string") return { ...error, mediaType };
    // Other people's errors may have no place for a message, or codes of their own.
    const { headers, body: shown } = example;
    const isNamed = isObject(shown) && messageKeyOf(shown) !== undefined;
    const isLocated = isObject(shown) && Array.isArray(shown["detail"]);
    const isOpen = shapeOf(root, media.schema).properties.size === 0;
    const bodies = [
      ...(isNamed || isOpen || error.body === shown || isLocated ? [error.body] : []),
      ...(isNamed ? [fill(shown, { ...specific, code: undefined })] : []),
      ...(specific.message === undefined ? [] : [withMessage(shown, specific.message) ?? shown]),
      shown,
    ];
    const judge = (body: unknown) => validator.answer(operation, refusal.refusal, media.mediaType, body) ?? [];
    return { headers, body: bodies.find((body) => judge(body).length === 0) ?? error.body, mediaType };
  };
}

/**
 * The example of an error of the same status in another operation; else of one of the same class. A document without such
 * an example may have a schema that has a message.
 */
function alikeBody(root: object, operations: readonly Operation[], status: number) {
  const alike = status >= 500 ? serverErrors : clientErrors;
  const statuses = new Set([String(status), ...alike, ...clientErrors, ...serverErrors, "4XX", "default"]);
  const sample = ({ schema }: Media) => (schema === undefined ? [] : [sampleOf(root, schema).value]);
  for (const isShown of [true, false]) {
    for (const declared of statuses) {
      for (const { responses } of operations) {
        for (const media of responses.get(declared)?.content.values() ?? []) {
          const isUsable = (one: unknown) =>
            isShown ? isObject(one) && messageKeyOf(one) !== undefined : withMessage(one, "") !== undefined;
          const body = (isShown ? [...media.examples.values()] : sample(media)).find(isUsable);
          if (isObject(body)) return { body, isSame: declared === String(status), isShown, schema: media.schema };
        }
      }
    }
  }
  return { body: { detail: "" }, isSame: false, isShown: true, schema: undefined };
}

/**
 * An error with a message in the first place that is named like one, within its objects and lists. Undefined if it has no
 * such place.
 */
function withMessage(body: unknown, message: string): unknown {
  if (Array.isArray(body)) {
    const first = withMessage(body[0], message);
    return first === undefined ? undefined : [first, ...body.slice(1)];
  }
  if (!isObject(body)) return undefined;
  const texts = Object.keys(body).filter((key) => typeof body[key] === "string");
  const like =
    messageKeys.find((key) => texts.includes(key)) ??
    texts.find((key) => /(message|detail|reason|description|text)s?$/i.test(key));
  if (like !== undefined) return { ...body, [like]: message };
  for (const [name, member] of Object.entries(body)) {
    const changed = withMessage(member, message);
    if (changed !== undefined) return { ...body, [name]: changed };
  }
  return undefined;
}

const clientErrors = ["400", "404", "401", "413", "429"];
const serverErrors = ["500", "503"];
const messageKeys = [
  "message",
  "detail",
  "reason",
  "title",
  "error_description",
  "error_message",
  "description",
  "error",
];
const codeKeys = ["code", "error_type"];

/** Keeps only the members that every error has: message, code, and the path of the fault. */
function pick(body: JsonObject): JsonObject {
  if (isObject(body["error"])) return { error: pick(body["error"]) };
  const described = new Set([...messageKeys, ...codeKeys, "type", "param"]);
  return Object.fromEntries(Object.entries(body).filter(([key]) => described.has(key)));
}

function messageKeyOf(body: JsonObject): string | undefined {
  if (isObject(body["error"])) return messageKeyOf(body["error"]);
  return messageKeys.find((key) => typeof body[key] === "string");
}

/** The message of an error's body. */
export function messageOf(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  if (isObject(body["error"])) return messageOf(body["error"]);
  const message = body[messageKeyOf(body) ?? ""];
  return typeof message === "string" ? message : undefined;
}

function fill(body: unknown, refusal: Refusal): unknown {
  if (!isObject(body) || refusal.message === undefined) return body;
  if (isObject(body["error"])) return { ...body, error: fill(body["error"], refusal) };
  const result = { ...body };
  const messageKey = messageKeyOf(body);
  if (messageKey !== undefined) result[messageKey] = refusal.message;
  const codeKey = codeKeys.find((key) => key in body);
  if (codeKey !== undefined && refusal.code !== undefined && typeof body[codeKey] === "string")
    result[codeKey] = refusal.code;
  if ("param" in body) result["param"] = formatLoc(refusal.faults?.[0]?.loc.slice(1) ?? []) || null;
  return result;
}
