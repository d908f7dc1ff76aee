import type { Fault } from "@trainyard/core/validation";
import { isJson, jsonOf, type Operation } from "@trainyard/document";
import { parseBody, type Body, type BodyLimits } from "./body.ts";
import { digestOf } from "./digest.ts";
import { readParameterValues } from "./parameters.ts";
import type { Validator } from "./validator.ts";

/**
 * Reads of a valid body what its operation's handler asks for, where that is less than the body. It runs in the thread that
 * judges the body, and what it returns may be sent between threads.
 */
export type Reader = (body: never) => unknown;

/** Readers by the names of their operations. */
export type Readers = Readonly<Record<string, Reader>>;

/** A body, and what is wrong with its JSON. */
export interface JudgedBody {
  /** The value is what the operation's reader made of it, where there is a reader and nothing is wrong. */
  readonly body: Body;
  readonly faults: readonly Fault[];
  /** Of the value as it came: the same for the same JSON, whatever the order of properties. */
  readonly digest?: string;
}

/**
 * Parses and judges a body that has come as a whole. Large ones may be judged elsewhere, so that the port's thread is free: then
 * the bytes are handed over. With `digest`, a valid body gets one.
 */
export type JudgeBody = (
  operation: Operation,
  bytes: Uint8Array<ArrayBuffer>,
  limits: BodyLimits,
  ask?: { readonly digest: boolean },
) => JudgedBody | Promise<JudgedBody>;

/** Judges bodies in this thread, and at once. */
export function judgeHere(validator: Validator, readers: Readers = {}) {
  return (...[operation, bytes, limits, ask]: Parameters<JudgeBody>): JudgedBody => {
    const body = parseBody(bytes, limits);
    const faults = body.kind === "json" ? validator.request(operation, "body", body.value) : [];
    if (body.kind !== "json" || faults.length > 0) return { body, faults };
    const reader = readers[operation.name];
    const digest = ask?.digest === true && { digest: digestOf(body.value) };
    if (reader === undefined) return { body, faults, ...digest };
    return { body: { ...body, value: Reflect.apply(reader, undefined, [body.value]) }, faults, ...digest };
  };
}

/** What is wrong with the parameters of a request in its query and its headers. */
export function judgeParameters(
  validator: Validator,
  operation: Operation,
  query: () => URLSearchParams,
  headers: Headers,
): Fault[] {
  return (["query", "header"] as const).flatMap((source) => {
    if (!operation.parameters.some((parameter) => parameter.in === source)) return [];
    const values = readParameterValues(operation.parameters, source, query(), headers);
    return validator.request(operation, source, values);
  });
}

/** How a body came that an operation can take. */
export type Taken = "json" | "other";

/**
 * How the body of a request came: as JSON, or as another media type that the operation takes, which nobody judges. A sentence
 * for what it does not take. A body whose type is not stated is JSON.
 */
export function mediaOf(operation: Operation, headers: Headers): Taken | { readonly refused: string } {
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.trim().toLowerCase() !== "identity") {
    return { refused: `The body must be sent as it is, not with the Content-Encoding ${encoding}.` };
  }
  const type = headers.get("content-type");
  const content = operation.body?.content ?? new Map();
  const declared = [...content.keys()];
  const name = (type ?? "application/json").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (isJson(name) && (declared.length === 0 || jsonOf(content) !== undefined)) return "json";
  const fits = (range: string) =>
    range === "*/*" || range === name || (range.endsWith("/*") && name.startsWith(range.slice(0, -1)));
  if (declared.some((range) => fits(range.toLowerCase()))) return "other";
  return { refused: `The body must be sent as ${declared.join(" or ")}, not as ${type ?? name}.` };
}
