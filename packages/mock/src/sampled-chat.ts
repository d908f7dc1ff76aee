import { isObject, memberAt, type JsonObject } from "@trainyard/core/validation";
import { locate } from "@trainyard/document";
import { exampleOf, sampleOf, validatorOf, type Call, type PlannedAnswer } from "@trainyard/host";
import { chooseExample } from "./choose-example.ts";

/**
 * The answer of a chat with a requested JSON schema that the document's example does not match: a value that is
 * generated from the schema. Undefined if the example is the answer, also for a schema without a valid value.
 */
export function sampledChat(call: Call): PlannedAnswer | undefined {
  const { operation, body } = call;
  const schema = memberAt(body, ["response_format", "json_schema", "schema"]);
  if (operation.stream?.fold !== "chat" || !isObject(schema)) return undefined;
  const shown = exampleOf(operation, { example: chooseExample(operation, undefined, call) });
  const message = typeof shown === "string" ? undefined : memberAt(shown.body, ["choices", 0, "message"]);
  // The tools of the request select an example that calls a tool.
  if (!isObject(message) || Array.isArray(message["tool_calls"])) return undefined;
  const document = documentOf(schema);
  try {
    const shownContent = parse(message["content"]);
    if (shownContent !== undefined && validatorOf(document).at(schemaPointer, shownContent).length === 0)
      return undefined;
    const { value, faults } = sampleOf(document, locate(document, schemaPointer));
    return faults.length === 0 ? { chunks: [JSON.stringify(value)] } : undefined;
  } catch {
    return undefined;
  }
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

const schemaPointer = "#/components/schemas/Asked";

/** A document with the schema. References inside the schema point to its new location. */
function documentOf(schema: JsonObject): JsonObject {
  const moved: unknown = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === "$ref" && typeof value === "string" && value.startsWith("#") ? `${schemaPointer}${value.slice(1)}` : value,
  );
  return { components: { schemas: { Asked: moved } } };
}
