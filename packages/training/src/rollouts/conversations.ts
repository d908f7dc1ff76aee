import { withoutNulls } from "@trainyard/core/chat";
import type { Choice, FunctionTool, History, Message, MessageOrChoice } from "../generated/schema.ts";
import { keyOf, stable } from "./same-message.ts";

/** A request with what was answered to it. */
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
 * Puts exchanges together, in the order of their requests, as conversations. A request whose messages go on where a
 * conversation with the same tools is continues it, the longest where there are several; any other begins one. Of several
 * choices the first continues, and each other begins a conversation: so every choice stands in exactly one place.
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

/** An assistant's message may be an answer sent back, with nulls that a trajectory does not take. */
function plain(message: Message): Message {
  return message.role === "assistant" ? withoutNulls(message) : message;
}
