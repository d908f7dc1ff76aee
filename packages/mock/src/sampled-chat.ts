import { isObject, type JsonObject } from "@trainyard/core/validation";
import { readDocument } from "@trainyard/document";
import { exampleOf, validatorOf, type Call, type PlannedAnswer } from "@trainyard/host";
import { chooseExample } from "./choose-example.ts";
import { createPrism } from "./prism.ts";

/**
 * The answer of a chat with a requested JSON schema that the document's example does not match: a value that Prism
 * generates from the schema. Undefined if the example is the answer, also for a schema without a valid value.
 */
export async function sampledChat({ operation, body }: Call): Promise<PlannedAnswer | undefined> {
  const schema = operation.stream?.fold === "chat" && isObject(body) ? schemaOf(body) : undefined;
  if (schema === undefined) return undefined;
  const shown = await exampleOf(operation, { example: chooseExample(operation, undefined, body) });
  const message = typeof shown === "string" ? undefined : messageOf(shown.body);
  // The tools of the request select an example that calls a tool.
  if (message === undefined || Array.isArray(message["tool_calls"])) return undefined;
  const document = documentOf(schema);
  try {
    if (fits(document, parse(message["content"]))) return undefined;
    const [only] = readDocument(document).operations;
    const value = only && (await createPrism(document)(only, 200, "application/json"));
    return fits(document, value) ? { chunks: [JSON.stringify(value)] } : undefined;
  } catch {
    return undefined;
  }
}

function schemaOf({ response_format: format }: JsonObject): JsonObject | undefined {
  const schema = isObject(format) && isObject(format["json_schema"]) ? format["json_schema"]["schema"] : undefined;
  return isObject(schema) ? schema : undefined;
}

function messageOf(completion: unknown): JsonObject | undefined {
  const choices = isObject(completion) ? completion["choices"] : undefined;
  const [first]: unknown[] = Array.isArray(choices) ? choices : [];
  return isObject(first) && isObject(first["message"]) ? first["message"] : undefined;
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

const schemaPointer = "#/components/schemas/Asked";

/** A document of one operation with the schema as its response. References inside the schema point to its new location. */
function documentOf(schema: JsonObject): JsonObject {
  const moved: unknown = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === "$ref" && typeof value === "string" && value.startsWith("#") ? `${schemaPointer}${value.slice(1)}` : value,
  );
  const content = { "application/json": { schema: { $ref: schemaPointer } } };
  return {
    openapi: "3.1.0",
    info: { title: "Asked", version: "1" },
    paths: { "/": { get: { operationId: "asked", responses: { "200": { description: "Asked.", content } } } } },
    components: { schemas: { Asked: moved } },
  };
}

function fits(document: JsonObject, value: unknown): boolean {
  return value !== undefined && validatorOf(document).at(schemaPointer, value).length === 0;
}
