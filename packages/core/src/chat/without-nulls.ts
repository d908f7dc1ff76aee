import type { Unlisted } from "../unlisted.ts";

/** An assistant's message whose properties are left out where they were null, with calls of listed kinds alone. */
export type WithoutNulls<Message> = {
  [Key in keyof Message]: Key extends "tool_calls" ? Listed<Exclude<Message[Key], null>> : Exclude<Message[Key], null>;
};

type Listed<Calls> = Calls extends readonly (infer Call)[] ? Exclude<Call, { type: Unlisted }>[] : Calls;

/**
 * The message of an answer without its nulls, for libraries that take none: the types of the `openai` package refuse
 * `tool_calls: null`, which an answer may hold. Tool calls of a kind that the contract does not list are left out too, because
 * those libraries know no such kind. Our own calls take the message as it is.
 */
export function withoutNulls<Message extends { role: "assistant" }>(message: Message): WithoutNulls<Message> {
  const entries = Object.entries(message)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, name === "tool_calls" && Array.isArray(value) ? value.filter(isListed) : value]);
  // Each property keeps its own type, less the null and the calls that were just taken out.
  return Object.fromEntries(entries) as WithoutNulls<Message>;
}

function isListed(call: { readonly type?: unknown }): boolean {
  return call.type === "function" || call.type === "custom";
}
