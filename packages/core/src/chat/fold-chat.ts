import { StreamError } from "../errors/failures.ts";
import type { Folding, Partially } from "../result.ts";
import type { ChatChunk, ChatFinishReason, ChatResult, ChatToolCall, ChatToolCallDelta } from "./chat-types.ts";

/**
 * Adds the chunks of a streamed chat completion up to the answer that would have come without streaming: content,
 * refusals, reasoning, tool calls, log probabilities, usage, and what else a service sends. Its messages go into
 * `messages` as they are. `partial` gives what has come so far, with `finish_reason: null` for a choice that goes on.
 * `value` throws {@link StreamError} where a choice never says why it ended. Which reasons and kinds of tool calls there are
 * is for the document to say.
 */
export function foldChat<Reason extends string = ChatFinishReason, Call = ChatToolCall>(): Folding<
  ChatChunk,
  ChatResult<Reason, Call>
> {
  const sum: Partial<ChatChunk> = {};
  // What it gives before the end has `null` for reasons that have not come.
  const sumUp = (): ChatResult<Reason, Call> => {
    const { choices = [], ...head } = sum;
    const given = choices.toSorted(byIndex).map(({ delta, ...choice }) => {
      const { tool_calls, ...message } = delta;
      return {
        finish_reason: null,
        logprobs: null,
        ...choice,
        message: {
          role: "assistant",
          content: null,
          refusal: null,
          ...message,
          ...(tool_calls && { tool_calls: tool_calls.toSorted(byIndex).map(toolCall) }),
        },
      };
    });
    // The pieces had the contract's types, and `merge` drops their nulls: a whole answer has none where it may not. They are
    // copied, because what is still to come changes them.
    return structuredClone({ ...head, object: "chat.completion", choices: given }) as ChatResult<Reason, Call>;
  };
  return {
    add: (chunk: Partial<ChatChunk>) => void merge(sum, chunk),
    partial: () => sumUp() as Partially<ChatResult<Reason, Call>>,
    value: () => {
      const whole = sumUp();
      if (!whole.choices.length || whole.choices.some((choice) => !choice.finish_reason))
        throw new StreamError("The stream of the chat completion ended before its choices did.");
      return whole;
    },
  };
}

const byIndex = (a: { index: number }, b: { index: number }): number => a.index - b.index;

function toolCall({ index, ...piece }: ChatToolCallDelta): object {
  void index;
  const { id = "", type, function: call, custom } = piece;
  // Of a kind that the contract does not list, what came is all that is known.
  if (type && type !== "custom" && type !== "function") return { ...piece, id, type };
  return custom
    ? { id, type: "custom", custom: { name: "", input: "", ...custom } }
    : { id, type: "function", function: { name: "", arguments: "", ...call } };
}

// What comes in pieces. All other texts come whole, be it once or in each chunk.
const inPieces = new Set([
  "content",
  "refusal",
  "reasoning",
  "reasoning_content",
  "arguments",
  "input",
  "data",
  "transcript",
]);

type Values = { [name: string]: unknown };

const isValues = (value: unknown): value is Values => typeof value === "object" && value !== null;

/** Adds a piece to what came before. Items of lists that have an `index` are pieces themselves; others come whole. */
function merge(sum: Values, piece: Values): Values {
  for (const name in piece) {
    const value = piece[name];
    const before = sum[name];
    // Of what JSON can name, `__proto__` would change all objects.
    if (value === null || name === "__proto__") continue;
    if (Array.isArray(value)) {
      const list: unknown[] = Array.isArray(before) ? before : (sum[name] = []);
      for (const item of value) {
        const index = isValues(item) ? item.index : undefined;
        const same = list.find((one) => index !== undefined && isValues(one) && one.index === index);
        if (isValues(same)) merge(same, item);
        else list.push(index === undefined ? item : merge({}, item));
      }
    } else if (isValues(value)) sum[name] = merge(isValues(before) ? before : {}, value);
    else if (typeof value === "string" && typeof before === "string" && inPieces.has(name)) sum[name] = before + value;
    else sum[name] = value;
  }
  return sum;
}
