import type { Operation } from "@trainyard/document";
import { invalidStatus } from "@trainyard/host";
import { formatLoc, isObject, type Fault, type JsonObject } from "@trainyard/core/validation";
import type { Answer, Answers } from "./answers.ts";

/** Why a request is not answered as it wished. */
export interface Problem {
  readonly status: number;
  /** A sentence. Without it the document's own example speaks. */
  readonly message?: string;
  /** For programs, where the service's error body has room for it. */
  readonly code?: string;
  readonly faults?: readonly Fault[];
  /** The example whose words are used, by a part of its name. */
  readonly example?: RegExp;
}

export type Errors = (operation: Operation | undefined, problem: Problem) => Promise<Answer>;

/**
 * Makes the function that writes errors as the document does: with the example of the declared response, its words
 * replaced where the mock knows better. For a status that nobody declares, the body is that of another error of the
 * same document, so that a client finds the message in the same place.
 */
export function createErrors(operations: readonly Operation[], answers: Answers): Errors {
  return async (operation, problem) => {
    const { status, faults } = problem;
    const declared = operation?.responses.get(String(status));
    const names = [...(declared?.content.values() ?? [])].flatMap(({ examples }) => [...examples.keys()]);
    const example = names.find((name) => problem.example?.test(name));
    const answer = operation ? await answers(operation, { status, example }) : "";
    if (typeof answer === "string") {
      const body = fill(plainBody(operations), { message: "The request was not answered.", ...problem });
      return { status, headers: new Headers({ "content-type": "application/json" }), body };
    }
    if (faults && isObject(answer.body) && Array.isArray(answer.body["detail"])) {
      return { ...answer, body: { ...answer.body, detail: faults } };
    }
    return { ...answer, body: fill(answer.body, problem) };
  };
}

/**
 * Says that a request is not valid. Where a body has room for one fault alone, it is the first. Where the document gives what
 * is wrong a status of its own, the code is that of its example too.
 */
export function invalid(
  document: object,
  operation: Operation,
  faults: readonly Fault[],
  code = "invalid_value",
): Problem {
  const [first] = faults;
  // These two sentences name the property themselves.
  const named = first?.type === "missing" || first?.type === "extra_forbidden";
  const place = formatLoc(first?.loc.slice(1, named ? -1 : undefined) ?? []);
  const message = place === "" ? (first?.msg ?? "") : `${place}: ${first?.msg}`;
  const status = invalidStatus(document, operation, faults);
  const usual = status === invalidStatus(document, operation, []);
  return { status, faults, message, ...(usual && { code }) };
}

/** An error body of the document, without what only that error has. */
function plainBody(operations: readonly Operation[]): JsonObject {
  for (const status of [400, 404, 401, 413, 500, 429]) {
    for (const { responses } of operations) {
      for (const { examples } of responses.get(String(status))?.content.values() ?? []) {
        const body = [...examples.values()].find((value) => isObject(value) && !Array.isArray(value["detail"]));
        if (isObject(body)) return pick(body);
      }
    }
  }
  return { detail: "" };
}

const messageKeys = ["message", "detail", "reason", "title"];
const codeKeys = ["code", "error_type"];

function pick(body: JsonObject): JsonObject {
  if (isObject(body["error"])) return { error: pick(body["error"]) };
  const known = new Set([...messageKeys, ...codeKeys, "type", "param"]);
  return Object.fromEntries(Object.entries(body).filter(([key]) => known.has(key)));
}

function fill(body: unknown, problem: Problem): unknown {
  if (!isObject(body) || problem.message === undefined) return body;
  if (isObject(body["error"])) return { ...body, error: fill(body["error"], problem) };
  const result = { ...body };
  const messageKey = messageKeys.find((key) => key in body);
  if (messageKey !== undefined) result[messageKey] = problem.message;
  const codeKey = codeKeys.find((key) => key in body);
  if (codeKey !== undefined && problem.code !== undefined) result[codeKey] = problem.code;
  if ("param" in body) result["param"] = formatLoc(problem.faults?.[0]?.loc.slice(1) ?? []) || null;
  return result;
}
