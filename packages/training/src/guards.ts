import type { Choice, Message, MessageOrChoice } from "./generated/schema.ts";

/**
 * Whether an item of `messages_and_choices` is a choice, as a chat completion returned it. With the types of this package,
 * `item.role === undefined` narrows as well; this also serves where the types of another library do not say so.
 */
export function isChoice(item: MessageOrChoice): item is Choice {
  // A choice may have undeclared properties, even `role`, so its required properties decide.
  return "finish_reason" in item && "message" in item;
}

/** Whether an item of `messages_and_choices` is a message, with any role. */
export function isMessage(item: MessageOrChoice): item is Message {
  return !isChoice(item);
}
