import { isObject, memberAt } from "@trainyard/core/validation";
import { jsonOf } from "@trainyard/document";
import { exampleOf, SchemaError, usualSteps, valuesOf, type Call, type PlannedAnswer } from "@trainyard/host";
import { chooseExample } from "./choose-example.ts";

const schemaPath = ["response_format", "json_schema", "schema"];

/**
 * The answer of a chat with a requested JSON schema that no example of the document requests: a value that is made by the
 * schema. Undefined if the example is the answer, also for a schema of which no value is made.
 */
export function sampledChat(call: Call): PlannedAnswer | undefined {
  const { operation, body } = call;
  const schema = memberAt(body, schemaPath);
  if (operation.stream?.fold !== "chat" || !isObject(schema)) return undefined;
  const shown = exampleOf(operation, { example: chooseExample(operation, undefined, call) });
  const message = typeof shown === "string" ? undefined : memberAt(shown.body, ["choices", 0, "message"]);
  // The tools of the request select an example that calls a tool.
  if (!isObject(message) || Array.isArray(message["tool_calls"])) return undefined;
  const written = JSON.stringify(schema);
  const requests = [...(jsonOf(operation.body?.content ?? new Map())?.examples.values() ?? [])];
  if (requests.some((request) => JSON.stringify(memberAt(request, schemaPath)) === written)) return undefined;
  try {
    const [value] = valuesOf(schema, { steps: usualSteps });
    return { chunks: [JSON.stringify(value)] };
  } catch (error) {
    if (error instanceof SchemaError) return undefined;
    throw error;
  }
}
