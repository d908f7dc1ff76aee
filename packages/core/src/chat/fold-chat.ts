import { StreamError } from "../errors/failures.ts";
import type { Folding, Partially } from "../result.ts";
import type {
  ChatChunk,
  ChatDelta,
  ChatFinishReason,
  ChatResult,
  ChatToolCall,
  ChatToolCallDelta,
} from "./chat-types.ts";

/**
 * Adds the chunks of a streamed chat completion up to the answer that the service returns without streaming: content,
 * refusals, reasoning, tool calls, log probabilities, usage, and any other fields. You can append its messages to
 * `messages` unchanged. `partial` returns the state so far; unfinished choices have `finish_reason: null`. `value` throws
 * {@link StreamError} if a choice has no finish reason. The document defines the finish reasons and the kinds of tool
 * calls.
 */
export function foldChat<Reason extends string = ChatFinishReason, Call = ChatToolCall>(): Folding<
  ChatChunk,
  ChatResult<Reason, Call>
> {
  const sum: Partial<ChatChunk> = {};
  // In a partial answer, the finish reason of an unfinished choice is null.
  const sumUp = (): ChatResult<Reason, Call> => {
    const { choices = [], ...head } = sum;
    const given = [choices]
      .flat()
      .toSorted(byIndex)
      .map(({ delta, ...choice }) => {
        const { tool_calls, ...message } = Object(delta) as ChatDelta;
        return {
          finish_reason: null,
          logprobs: null,
          ...choice,
          message: {
            role: "assistant",
            content: null,
            refusal: null,
            ...message,
            ...(tool_calls && { tool_calls: [tool_calls].flat().filter(isValues).toSorted(byIndex).map(toolCall) }),
          },
        };
      });
    // The chunks have the contract's types, and `merge` drops nulls, so that a complete answer has none where the contract
    // forbids them. Clone, because later chunks change the originals.
    return structuredClone({ ...head, object: "chat.completion", choices: given }) as ChatResult<Reason, Call>;
  };
  return {
    add: (chunk: Partial<ChatChunk>) => void merge(sum, chunk),
    partial: () => sumUp() as Partially<ChatResult<Reason, Call>>,
    value: () => {
      const whole = sumUp();
      if (!whole.choices.length || whole.choices.some((choice) => !choice.finish_reason))
        throw new StreamError("The stream of the chat completion ended before its choices.");
      return whole;
    },
  };
}

const byIndex = (a: { index: number }, b: { index: number }): number => a.index - b.index;

function toolCall({ index, ...piece }: ChatToolCallDelta): object {
  void index;
  const { id = "", type, function: call, custom } = piece;
  // Tool calls of an unlisted kind are returned as they arrived.
  if (type && type !== "custom" && type !== "function") return { ...piece, id, type };
  return custom
    ? { id, type: "custom", custom: { name: "", input: "", ...custom } }
    : { id, type: "function", function: { name: "", arguments: "", ...call } };
}

// These fields arrive in pieces. All other strings arrive whole, once or in every chunk.
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

/**
 * Adds a piece to what arrived before. List items that have an `index` are themselves pieces; others are whole. Some services
 * repeat a text as null or empty in later pieces, so neither replaces what came before.
 */
function merge(sum: Values, piece: Values): Values {
  for (const name in piece) {
    const value = piece[name];
    const before = sum[name];
    // Skip `__proto__`: JSON can contain it, and it would change all objects.
    if (value === null || (value === "" && before) || name === "__proto__") continue;
    if (Array.isArray(value)) {
      const list: Values[] = Array.isArray(before) ? before : (sum[name] = []);
      for (const [place, item] of value.entries()) {
        // Some services leave the index of choices out.
        const index = Object(item).index ?? (name === "choices" ? place : undefined);
        const same = index === undefined ? undefined : list.find((one) => Object(one).index === index);
        if (same) merge(same, item);
        else list.push(index === undefined ? item : merge(merge({}, item), { index }));
      }
    } else if (isValues(value)) sum[name] = merge(isValues(before) ? before : {}, value);
    else if (typeof value === "string" && typeof before === "string" && inPieces.has(name)) sum[name] = before + value;
    else sum[name] = value;
  }
  return sum;
}
