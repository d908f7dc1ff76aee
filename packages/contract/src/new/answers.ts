import { Failure } from "../failure.ts";
import { type Json, type JsonObject, isObject } from "../json.ts";
import type { Source } from "./source.ts";
import { thingOf } from "./naming.ts";
import { toYaml } from "./yaml.ts";

/** Kinds of invalid requests, with the name of their example. */
export interface InputFault {
  readonly name: string;
  readonly summary: string;
  readonly loc: readonly string[];
  readonly msg: string;
  readonly type: string;
}

/** What decides which responses an operation has. */
export interface AnswerNeeds {
  readonly name: string;
  readonly path: string;
  readonly secured: boolean;
  readonly keyed: boolean;
  readonly hasBody: boolean;
  readonly isPage: boolean;
  /** An error of the input, for the example. */
  readonly fault: InputFault;
}

/** Plans the errors of an operation, by status: those that its service shares, and its own examples. */
export function planErrors(source: Source, needs: AnswerNeeds): JsonObject {
  const shared = (name: string): JsonObject => ({ $ref: `../responses/${name}.yaml` });
  const has = (name: string): boolean => source.plan.has(source.file(`responses/${name}.yaml`));
  const errors: JsonObject = {};
  const badRequest = has("BadRequest");
  const canBeInvalid = needs.hasBody || needs.isPage;
  if (canBeInvalid && badRequest) errors["400"] = shared("BadRequest");
  if (needs.secured) errors["401"] = shared("Unauthorized");
  if (needs.path.includes("{")) errors["404"] = notFound(source, needs);
  if (needs.keyed) {
    if (!has("IdempotencyConflict")) {
      throw new Failure(
        `Operations that are sent again with a key answer 409. Write ${source.file("responses/IdempotencyConflict.yaml")} first.`,
      );
    }
    errors["409"] = shared("IdempotencyConflict");
  }
  if (needs.hasBody) errors["413"] = shared("ContentTooLarge");
  if (canBeInvalid && !badRequest) {
    errors["422"] = needs.isPage && has("InvalidPage") ? shared("InvalidPage") : invalid(source, needs);
  }
  if (needs.secured) errors["429"] = shared("TooManyRequests");
  errors["500"] = shared("InternalServerError");
  errors["503"] = shared("ServiceUnavailable");
  for (const answer of Object.values(errors)) {
    const file = isObject(answer) ? answer["$ref"] : undefined;
    if (typeof file === "string") source.plan.read(source.file(file.replace("../", "")));
  }
  return errors;
}

export const requestId: JsonObject = { "x-request-id": { $ref: "../../common/headers/RequestId.yaml" } };

/** A response of the operation's own, with one example. */
function answer(description: string, schema: string, name: string, example: string): JsonObject {
  return {
    description,
    headers: requestId,
    content: {
      "application/json": { schema: { $ref: schema }, examples: { [name]: { $ref: `../examples/${example}.yaml` } } },
    },
  };
}

/** If another operation on the same thing returns 404, this one reuses its response; otherwise it gets its own. */
function notFound(source: Source, { name, path }: AnswerNeeds): JsonObject {
  const thing = /\{([^}]*)\}[^{]*$/.exec(path)?.[1] ?? "";
  for (const other of source.operations()) {
    const { responses } = other.operation;
    const shared = isObject(responses) ? responses["404"] : undefined;
    if (other.path.includes(`{${thing}}`) && isObject(shared) && typeof shared["$ref"] === "string") return shared;
  }
  const { schema, example } = errorBody(source);
  const noun = thingOf(thing);
  plan(source, `${name}-unknown`, `There is no such ${noun}`, withMessage(example, `There is no such ${noun}.`));
  return answer(`There is no such ${noun}.`, schema, "unknown", `${name}-unknown`);
}

function invalid(source: Source, { name, fault }: AnswerNeeds): JsonObject {
  const { name: example, summary, loc, msg, type } = fault;
  plan(source, `${name}-${example}`, summary, { detail: [{ loc: [...loc], msg, type }] });
  const description = "The request is not valid. Each entry of `detail` names a place, and what is wrong there.";
  return answer(description, "../../common/schemas/HTTPValidationError.yaml", example, `${name}-${example}`);
}

function plan(source: Source, name: string, summary: string, value: Json): void {
  source.plan.create(source.file(`examples/${name}.yaml`), toYaml({ summary, value }));
}

/** The response with which the service reports a missing thing, or else a failure. */
function errorBody(source: Source): { schema: string; example: Json } {
  for (const [folder, answer] of knownErrors(source)) {
    const { content } = answer;
    const media = isObject(content) ? content["application/json"] : undefined;
    const [schema, examples] = isObject(media) ? [media["schema"], media["examples"]] : [];
    const target = isObject(schema) ? schema["$ref"] : undefined;
    const [example] = isObject(examples) ? Object.values(examples) : [];
    const shown = isObject(example) ? example["$ref"] : undefined;
    if (typeof target !== "string" || typeof shown !== "string") continue;
    return { schema: target, example: source.follow(folder)(shown).schema["value"] ?? {} };
  }
  throw new Failure(
    `${source.file("responses/InternalServerError.yaml")} needs a schema and an example, each in its file.`,
  );
}

function knownErrors(source: Source): [folder: string, answer: JsonObject][] {
  const notFounds = source.operations().flatMap(({ operation }): [string, JsonObject][] => {
    const { responses } = operation;
    const found = isObject(responses) ? responses["404"] : undefined;
    if (!isObject(found)) return [];
    const { $ref: target } = found;
    return typeof target === "string" ? [["responses", source.follow("paths")(target).schema]] : [["paths", found]];
  });
  return [...notFounds, ["responses", source.read("responses/InternalServerError.yaml")]];
}

/** The same body with another message: the longest text of a body is its message for people. */
function withMessage(body: Json, message: string): Json {
  let longest = "";
  const text = JSON.stringify(body, (_, value: Json) => {
    if (typeof value === "string" && value.length > longest.length) longest = value;
    return value;
  });
  return JSON.parse(text, (_, value: Json) => (value === longest ? message : value));
}
