import type { Choice, MessageOrChoice } from "@trainyard/training";

/** A message whose members may be anything: schemas are open, so `tool_calls` of a user are not validated. */
export interface Loose {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
}

export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The names and the arguments of the calls in a message, as text. */
export function callsOf({ tool_calls: calls }: Loose): { name: string; input: string }[] {
  return listOf(calls).map((call) => {
    const { type, custom, function: called } = Object(call);
    const { name, arguments: given, input = given } = Object(type === "custom" ? custom : called);
    return { name: stringOf(name), input: stringOf(input) };
  });
}

/** Whether an entry of a conversation is an answer of the model, which alone has no role. */
export function isChoice(entry: MessageOrChoice): entry is Choice {
  return !("role" in entry);
}

/**
 * The text of a message's content, which is a string or a list of parts.
 *
 * @param other what stands for a part without text; by default its type
 */
export function textOf(content: unknown, other?: string): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((part) => {
      const { text, refusal, type } = Object(part);
      return stringOf(text ?? refusal ?? other ?? `[${stringOf(type)}]`);
    })
    .join("\n");
}
