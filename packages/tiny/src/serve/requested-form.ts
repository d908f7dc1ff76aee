import type { ChatCompletionRequest, ChatTool, NamedTool } from "@trainyard/inference";
import { anything, either, literal, oneOf, repeat, sequence, type Form } from "../forms/form.ts";
import { schemaForm, SchemaError } from "../forms/schema-form.ts";

/** What an answer must be: a tool call, or a text, with a form if one is requested. */
export interface RequestedForm {
  readonly form: Form | undefined;
  /** Whether it is a tool call, written as `name(arguments)`. */
  readonly isCall: boolean;
}

/** The form for `json_object`: a text within an object. */
const anyObject = schemaForm({ type: "object", properties: { answer: { type: "string" } }, required: ["answer"] });

/**
 * Reads the form that a request requires. With `auto`, a tool is called once: if the conversation contains no tool
 * result yet. After that, the model answers with text.
 *
 * @throws SchemaError with a path in the request, if a schema is not supported, or no tool has the name
 */
export function requestedForm(request: ChatCompletionRequest): RequestedForm {
  const tools = requestedTools(request);
  if (tools.length > 0) return { form: either(tools.map(callForm)), isCall: true };
  const { response_format: format, messages } = request;
  if (format?.type === "json_object") return { form: anyObject, isCall: false };
  if (format?.type !== "json_schema") return { form: hasToolAnswer(messages) ? inWords : undefined, isCall: false };
  const loc = ["response_format", "json_schema", "schema"];
  return { form: formOf(format.json_schema.schema ?? {}, loc), isCall: false };
}

/** The tools that may be called, each with its index in the request. */
function requestedTools({ tools = [], tool_choice: choice = "auto", messages }: ChatCompletionRequest) {
  const all = tools.map((tool, index) => ({ tool, index }));
  const named = (names: readonly string[], loc: readonly string[]) => {
    const unknown = names.find((name) => !tools.some((tool) => nameOf(tool) === name));
    if (unknown === undefined) return all.filter(({ tool }) => names.includes(nameOf(tool)));
    throw new SchemaError(loc, `The request has no tool ${unknown}. Name one of its tools.`);
  };
  if (choice === "none") return [];
  if (choice === "auto") return hasToolAnswer(messages) ? [] : all;
  if (choice === "required") {
    if (all.length > 0) return all;
    throw new SchemaError(["tool_choice"], "A call is required, and the request has no tools. Add them to tools.");
  }
  if (choice.type !== "allowed_tools") return named([nameOf(choice)], ["tool_choice", choice.type, "name"]);
  const { mode, tools: allowed } = choice.allowed_tools;
  const found = named(allowed.map(nameOf), ["tool_choice", "allowed_tools", "tools"]);
  return mode === "auto" && hasToolAnswer(messages) ? [] : found;
}

/** Whether the conversation contains a tool result. */
function hasToolAnswer(messages: ChatCompletionRequest["messages"]): boolean {
  return messages.some(({ role }) => role === "tool" || role === "function");
}

/** The name of a tool, or of the tool that a tool choice names. */
export function nameOf(tool: ChatTool | NamedTool): string {
  return tool.type === "custom" ? tool.custom.name : tool.function.name;
}

const bytesOf = (characters: string): ReadonlySet<number> => new Set(new TextEncoder().encode(characters));
const wordCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
/** The input of a custom tool: letters, digits and spaces, none of which ends the input. */
const freeText = repeat(oneOf(bytesOf(`${wordCharacters} `)), 1, 64);
/** The answer after a tool result: it is never empty, because a program that called a tool expects text. */
const inWords = sequence(oneOf(bytesOf(wordCharacters)), anything);

/** A tool call as conversations contain it: `name(arguments)`, or `name(text)` for a custom tool. */
function callForm({ tool, index }: { tool: ChatTool; index: number }): Form {
  const begin = literal(`${nameOf(tool)}(`);
  if (tool.type === "custom") {
    if (tool.custom.format?.type !== "grammar") return sequence(begin, freeText, literal(")"));
    const cure = "This model does not support grammars. Omit the format.";
    throw new SchemaError(["tools", index, "custom", "format"], cure);
  }
  const { parameters } = tool.function;
  const args = formOf({ type: "object", ...parameters }, ["tools", index, "function", "parameters"]);
  return sequence(begin, args, literal(")"));
}

function formOf(schema: unknown, loc: readonly (string | number)[]): Form {
  try {
    return schemaForm(schema);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const location = error.path.length === 0 ? "The schema" : `The schema at ${error.path.join(".")}`;
    throw new SchemaError([...loc, ...error.path], `${location} ${error.message}.`);
  }
}
