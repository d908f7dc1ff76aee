/** An assistant's message whose properties are left out where they were null. */
export type WithoutNulls<Message> = { [Key in keyof Message]: Exclude<Message[Key], null> };

/**
 * The message of an answer without its nulls, for libraries that take none: the types of the `openai` package refuse
 * `tool_calls: null`, which an answer may hold. Our own calls take the message as it is.
 */
export function withoutNulls<Message extends { role: "assistant" }>(message: Message): WithoutNulls<Message> {
  const entries = Object.entries(message).filter(([, value]) => value !== null);
  // Each property keeps its own type, less the null that was just taken out.
  return Object.fromEntries(entries) as WithoutNulls<Message>;
}
