import type { Unlisted } from "../unlisted.ts";

/** An assistant's message without its null properties, and with tool calls of listed kinds only. */
export type WithoutNulls<Message> = {
  [Key in keyof Message]: Key extends "tool_calls" ? Listed<Exclude<Message[Key], null>> : Exclude<Message[Key], null>;
};

type Listed<Calls> = Calls extends readonly (infer Call)[] ? Exclude<Call, { type: Unlisted }>[] : Calls;

/**
 * Returns the message of an answer without its nulls, for libraries that reject them: the types of the `openai` package do
 * not accept `tool_calls: null`, which an answer may contain. Also leaves out tool calls of kinds that the contract does
 * not list, because those libraries do not know them. Calls of this client accept the message unchanged.
 */
export function withoutNulls<Message extends { role: "assistant" }>(message: Message): WithoutNulls<Message> {
  const entries = Object.entries(message)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, name === "tool_calls" && Array.isArray(value) ? value.filter(isListed) : value]);
  // Each property keeps its type, minus null and the calls that were removed.
  return Object.fromEntries(entries) as WithoutNulls<Message>;
}

/** Whether a tool call calls a function, as `tool_calls.filter(isFunctionCall)` needs it: other kinds may come at any time. */
export function isFunctionCall<Call extends { type: unknown }>(
  call: Call,
): call is Extract<Call, { type: "function" }> {
  return call.type === "function";
}

function isListed(call: { readonly type?: unknown }): boolean {
  return call.type === "function" || call.type === "custom";
}
