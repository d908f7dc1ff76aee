import { SchemaError, usualSteps, valuesOf, type Budget } from "@trainyard/host";
import type { ChatCompletionRequest, ChatTool, NamedTool } from "@trainyard/inference";
import { createRandom } from "../sampling/random.ts";
import { plainSettings } from "../sampling/settings.ts";

/** What an answer must be: one of several texts or, without them, what the model says. */
export interface RequestedAnswer {
  readonly texts?: readonly Uint8Array[];
  /** Whether it is a tool call, written as `name(arguments)`. */
  readonly isCall?: boolean;
  /** Whether it is never empty: a program that called a tool expects text. */
  readonly isInWords?: boolean;
}

/** The schema for `json_object`: what the base model says, within an object. */
const anyObject = { properties: { answer: { enum: ["yes", "no", "maybe"] } }, required: ["answer"] };

/** How many texts there are to choose from, and about how many characters they have together. */
const most = { texts: 32, characters: 4096 };

/**
 * Reads what a request requires. JSON of a schema and the arguments of a call are made by `valuesOf` of the host, at random;
 * which of the texts is the answer, the model chooses. With `auto`, a tool is called once: if the conversation contains no
 * tool result yet. After that, the model answers with text.
 *
 * @throws SchemaError with a path in the request, if a schema has no value, or no tool has the name
 */
export function requestedAnswer(request: ChatCompletionRequest, seed: number): RequestedAnswer {
  const budget: Budget = { steps: usualSteps };
  const random = createRandom(seed, answers);
  const json = (schema: object, loc: SchemaError["path"]) => textsOf(schema, loc, budget, random);
  const calls = requestedTools(request).map(({ tool, index }) => callsOf(tool, index, json));
  if (calls.length > 0) return { texts: someOf(calls, random), isCall: true };
  const { response_format: format, messages } = request;
  if (format?.type !== "json_schema" && format?.type !== "json_object") return { isInWords: hasToolAnswer(messages) };
  const schema = format.type === "json_schema" ? (format.json_schema.schema ?? {}) : anyObject;
  return { texts: someOf([json(schema, ["response_format", "json_schema", "schema"])], random) };
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

/** Random numbers of another stream than those of the choices, whose streams are their indices. */
const answers = 2 ** 16;

/** Different texts of several sources, at least one of each. */
function someOf(sources: readonly Iterator<string>[], random: () => number): Uint8Array[] {
  const texts = new Set<string>();
  let characters = 0;
  for (let count = 0; count < sources.length || (count < most.texts && characters < most.characters); count++) {
    const source = sources[count] ?? sources[Math.floor(random() * sources.length)];
    const next = source?.next();
    if (next === undefined || next.done === true) break;
    texts.add(next.value);
    characters += next.value.length;
  }
  return Array.from(texts, (text) => encoder.encode(text));
}

/** Tool calls as conversations contain them: `name(arguments)`, or `name(text)` for a custom tool. */
function* callsOf(
  tool: ChatTool,
  index: number,
  json: (schema: object, loc: SchemaError["path"]) => Iterable<string>,
): Generator<string> {
  if (tool.type === "function") {
    const loc = ["tools", index, "function", "parameters"];
    for (const text of json({ type: "object", ...tool.function.parameters }, loc)) yield `${nameOf(tool)}(${text})`;
  } else if (tool.custom.format?.type === "grammar") {
    const cure = "This model does not support grammars. Omit the format.";
    throw new SchemaError(["tools", index, "custom", "format"], cure);
  } else for (;;) yield `${nameOf(tool)}(text)`;
}

/** JSON of a schema. If it were longer than an answer may be, it has only what it must have. */
function* textsOf(schema: object, loc: SchemaError["path"], budget: Budget, random: () => number): Generator<string> {
  try {
    const required = valuesOf(schema, budget, random, false);
    for (const value of valuesOf(schema, budget, random)) {
      const text = JSON.stringify(value);
      yield encoder.encode(text).length <= longest ? text : JSON.stringify(required.next().value ?? value);
    }
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new SchemaError([...loc, ...error.path], error.message);
  }
}

const encoder = new TextEncoder();
/** The longest JSON that an answer has room for, beside the name of a tool. */
const longest = plainSettings.maxTokens - 128;
