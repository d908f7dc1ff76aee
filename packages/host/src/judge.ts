import type { Fault } from "@trainyard/core/validation";
import { isJson, jsonOf, type Operation } from "@trainyard/document";
import { parseBody, type Body, type BodyLimits } from "./body.ts";
import { readParameterValues } from "./parameters.ts";
import type { Validator } from "./validator.ts";

/** A body, read, and what is wrong with its JSON. */
export interface JudgedBody {
  readonly body: Body;
  readonly faults: readonly Fault[];
}

/** Reads and judges a body that has come as a whole. Large ones may be judged elsewhere, so that the port's thread is free. */
export type JudgeBody = (
  operation: Operation,
  bytes: Uint8Array<ArrayBuffer>,
  limits: BodyLimits,
) => JudgedBody | Promise<JudgedBody>;

/** The judge that does it here and at once. */
export function judgeHere(validator: Validator): JudgeBody {
  return (operation, bytes, limits) => {
    const body = parseBody(bytes, limits);
    return { body, faults: body.kind === "json" ? validator.request(operation, "body", body.value) : [] };
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
