import { withoutNulls } from "@trainyard/core/chat";
import type { Choice, FunctionTool, History, Message, MessageOrChoice } from "../generated/schema.ts";
import { keyOf, stable } from "./same-message.ts";

/** A request with its response. */
export interface Exchange {
  readonly messages: readonly Message[];
  readonly tools: readonly FunctionTool[] | undefined;
  /** Absent until the answer is whole. Of a stream that was left, what had come, as a message: a choice has a reason why it ended. */
  choices?: readonly (Choice | Message)[];
}

interface Conversation {
  readonly items: MessageOrChoice[];
  readonly keys: string[];
  readonly tools: readonly FunctionTool[] | undefined;
  readonly toolsKey: string;
}

/**
 * Groups exchanges into conversations, in the order of their requests. A request whose messages continue a conversation with
 * the same tools belongs to it, to the longest one if there are several. Any other request starts a conversation. The first
 * of several choices continues the conversation, and each other one starts another, so every choice occurs exactly once.
 */
export function conversationsOf(exchanges: readonly Exchange[]): History[] {
  const conversations: Conversation[] = [];
  for (const { messages, tools, choices = [] } of exchanges) {
    const keys = messages.map(keyOf);
    const toolsKey = stable(tools);
    let [open] = conversations
      .filter((one) => one.toolsKey === toolsKey && one.keys.every((key, index) => key === keys[index]))
      .toSorted((a, b) => b.keys.length - a.keys.length);
    for (const choice of choices) {
      if (!open) conversations.push((open = { items: [], keys: [], tools, toolsKey }));
      open.items.push(...messages.slice(open.keys.length).map(plain), choice);
      open.keys.push(...keys.slice(open.keys.length), keyOf(choice));
      open = undefined;
    }
  }
  return conversations.map(({ items, tools }) => ({ messages_and_choices: items, ...(tools && { tools }) }));
}

/** A message of the assistant may be a returned response, with nulls that a trajectory does not permit. */
function plain(message: Message): Message {
  return message.role === "assistant" ? withoutNulls(message) : message;
}
