import type { ChatCompletionRequest, FunctionTool } from "@trainyard/inference";
import { either, literal, sequence, type Form } from "../forms/form.ts";
import { schemaForm, SchemaError } from "../forms/schema-form.ts";

/** What an answer is to be: a call of a tool, or a text, of a form if one is asked for. */
export interface RequestedForm {
  readonly form: Form | undefined;
  /** Whether it is a call, written as `name(arguments)`. */
  readonly isCall: boolean;
}

/** Why an answer cannot be what was asked for, and where it was asked. */
export class FormError extends Error {
  override readonly name = "FormError";
  readonly loc: readonly (string | number)[];

  constructor(loc: readonly (string | number)[], message: string) {
    super(message);
    this.loc = loc;
  }
}

/** What `json_object` is answered with: a text, in an object. */
const anyObject = {
  type: "object",
  properties: { answer: { type: "string" } },
  required: ["answer"],
  additionalProperties: false,
};

/**
 * Reads what a request wants of an answer. With `auto` a tool is called once: where the conversation holds no answer of a tool
 * yet. After that the model answers in words.
 *
 * @throws FormError where a schema cannot be kept to, or no tool has the name
 */
export function requestedForm(request: ChatCompletionRequest): RequestedForm {
  const tools = requestedTools(request);
  if (tools.length > 0) return { form: either(tools.map(callForm)), isCall: true };
  const { response_format: format } = request;
  if (format?.type === "json_object") return { form: schemaForm(anyObject), isCall: false };
  if (format?.type !== "json_schema") return { form: undefined, isCall: false };
  const loc = ["response_format", "json_schema", "schema"];
  return { form: formOf(format.json_schema.schema ?? {}, loc), isCall: false };
}

/** The tools one of which is called, each with its place in the request. */
function requestedTools({
  tools = [],
  tool_choice: choice,
  messages,
}: ChatCompletionRequest): [FunctionTool, number][] {
  const all = [...tools.entries()].map(([place, tool]): [FunctionTool, number] => [tool, place]);
  const named = (names: readonly string[], loc: readonly (string | number)[]) => {
    const unknown = names.find((name) => !tools.some(({ function: { name: known } }) => known === name));
    if (unknown === undefined) return all.filter(([tool]) => names.includes(tool.function.name));
    throw new FormError(loc, `The request has no tool ${unknown}. Name one of its tools.`);
  };
  const isAnswered = messages.some(({ role }) => role === "tool" || role === "function");
  if (choice === undefined || choice === "auto") return isAnswered ? [] : all;
  if (choice === "none") return [];
  if (choice === "required") {
    if (all.length > 0) return all;
    throw new FormError(["tool_choice"], "A call is required, and the request has no tools. Add them to tools.");
  }
  if (choice.type === "function") return named([choice.function.name], ["tool_choice", "function", "name"]);
  const { mode, tools: allowed } = choice.allowed_tools;
  const found = named(
    allowed.map(({ function: { name } }) => name),
    ["tool_choice", "allowed_tools", "tools"],
  );
  return mode === "auto" && isAnswered ? [] : found;
}

/** A call as conversations have it: `name(arguments)`. */
function callForm([tool, place]: [FunctionTool, number]): Form {
  const { name, parameters } = tool.function;
  const args = formOf({ type: "object", ...parameters }, ["tools", place, "function", "parameters"]);
  return sequence(literal(`${name}(`), args, literal(")"));
}

function formOf(schema: unknown, loc: readonly (string | number)[]): Form {
  try {
    return schemaForm(schema);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const place = error.path.length === 0 ? "The schema" : `The schema at ${error.path.join(".")}`;
    throw new FormError([...loc, ...error.path], `${place} ${error.message}.`);
  }
}
