import type { Choice, Message, MessageOrChoice } from "./generated/schema.ts";

/**
 * Whether an item of `messages_and_choices` is a choice, as a chat completion returned it. In our types
 * `item.role === undefined` narrows as well; this also serves where the types of another library do not say so.
 */
export function isChoice(item: MessageOrChoice): item is Choice {
  // A choice may have properties that the contract does not name, `role` among them: what it must have decides.
  return "finish_reason" in item && "message" in item;
}

/** Whether an item of `messages_and_choices` is a message, of whatever role. */
export function isMessage(item: MessageOrChoice): item is Message {
  return !isChoice(item);
}
