import { isObject, type JsonObject } from "@trainyard/core/validation";
import { answerTokens } from "./answer-tokens.ts";
import { UnreadableMessage, type Path } from "./unreadable-message.ts";
import { end, marks, type Speaker } from "./vocabulary.ts";

/** A conversation as the model reads it. */
export interface Rendered {
  readonly tokens: Uint16Array;
  /** The assistant's answers, oldest first. */
  readonly answers: readonly RenderedAnswer[];
}

/** The tokens of one answer. */
export interface RenderedAnswer {
  /** Where it starts in `tokens`, after the token of its speaker. */
  readonly start: number;
  /**
   * Where it ends, exclusive. The end token is included, unless the answer was cut off (by a limit or a stop sequence)
   * before the model sampled it.
   */
  readonly end: number;
  /** The index of its message. */
  readonly message: number;
  /** Whether it is a choice: an answer that a model sampled in this conversation. */
  readonly isChoice: boolean;
  /**
   * The logged log probability of each of its tokens. Undefined if there are none, if they belong to another model's
   * tokens, or if they do not match the text.
   */
  readonly logprobs: Float64Array | undefined;
}

const speakers: Readonly<Record<string, Speaker>> = {
  system: "system",
  developer: "system",
  user: "user",
  assistant: "assistant",
  tool: "tool",
  function: "tool",
};

/**
 * Writes a conversation as tokens: for each message the token of its speaker, the bytes of its text, and the end. Names
 * are left out; a tool call is written as `name(arguments)` on a line of its own.
 *
 * @param messages messages and choices, as in a trajectory or a chat request
 * @throws UnreadableMessage if it has an unknown role, or content of no form that a message has
 */
export function render(messages: readonly unknown[]): Rendered {
  const tokens: number[] = [];
  const answers: RenderedAnswer[] = [];
  for (const [index, item] of messages.entries()) {
    const { message, choice, path } = messageOf(item, index);
    const { role } = message;
    const speaker = typeof role === "string" && Object.hasOwn(speakers, role) ? speakers[role] : undefined;
    if (speaker === undefined) throw new UnreadableMessage([...path, "role"], "must be a role that the model knows");
    tokens.push(marks[speaker]);
    const text = textOf(message, path);
    if (speaker !== "assistant") {
      for (const byte of encoder.encode(text)) tokens.push(byte);
      tokens.push(end);
      continue;
    }
    const answer = answerTokens(text, choice);
    const start = tokens.length;
    for (const token of answer.tokens) tokens.push(token);
    answers.push({
      start,
      end: tokens.length,
      message: index,
      isChoice: choice !== undefined,
      logprobs: answer.logprobs,
    });
    if (tokens.at(-1) !== end) tokens.push(end);
  }
  return { tokens: Uint16Array.from(tokens), answers };
}

/**
 * Writes a conversation up to the start of the next answer.
 *
 * @throws UnreadableMessage as `render` does
 */
export function renderPrompt(messages: readonly unknown[]): Uint16Array {
  const { tokens } = render(messages);
  const prompt = new Uint16Array(tokens.length + 1);
  prompt.set(tokens);
  prompt[tokens.length] = marks.assistant;
  return prompt;
}

/**
 * How many tokens a conversation has at least, without writing them. It is exact for ASCII.
 *
 * @throws UnreadableMessage as `render` does
 */
export function leastTokens(messages: readonly unknown[]): number {
  const lengths = messages.map((item, index) => {
    const { message, path } = messageOf(item, index);
    return textOf(message, path).length + 2;
  });
  return lengths.reduce((sum, length) => sum + length, 1);
}

const encoder = new TextEncoder();

interface Item {
  readonly message: JsonObject;
  readonly choice: JsonObject | undefined;
  readonly path: Path;
}

/** A choice is recognized by its field `message`. */
function messageOf(item: unknown, index: number): Item {
  if (!isObject(item)) throw new UnreadableMessage([index], "must be a message");
  if (!("message" in item && "finish_reason" in item)) return { message: item, choice: undefined, path: [index] };
  const { message } = item;
  if (!isObject(message)) throw new UnreadableMessage([index, "message"], "must be a message");
  return { message: { role: "assistant", ...message }, choice: item, path: [index, "message"] };
}

function textOf(message: JsonObject, path: Path): string {
  const { role, content, refusal, audio } = message;
  const texts = [contentText(content, [...path, "content"])];
  if (audio !== undefined && audio !== null) texts.push("[audio]");
  if (role !== "assistant") return texts.join("");
  if (typeof refusal === "string") texts.push(refusal);
  const calls = Array.isArray(message["tool_calls"]) ? message["tool_calls"] : [];
  for (const call of [...calls, { function: message["function_call"] }]) {
    if (!isObject(call)) continue;
    const { function: called, custom } = call;
    if (isObject(called)) texts.push(`${String(called["name"])}(${String(called["arguments"])})`);
    if (isObject(custom)) texts.push(`${String(custom["name"])}(${String(custom["input"])})`);
  }
  return texts.filter((text) => text !== "").join("\n");
}

function contentText(content: unknown, path: Path): string {
  if (typeof content === "string") return content;
  if (content === null || content === undefined) return "";
  if (!Array.isArray(content)) throw new UnreadableMessage(path, "must be a text or a list of parts");
  const parts = content.map((part: unknown, index) => {
    if (!isObject(part)) throw new UnreadableMessage([...path, index], "must be a part of a message");
    const { text, refusal, type } = part;
    if (typeof text === "string") return text;
    if (typeof refusal === "string") return refusal;
    // The model reads only text. A picture or a sound is replaced by its kind, so that agents that send one can be
    // tried.
    return `[${String(type)}]`;
  });
  return parts.join("\n");
}
