import { isObject } from "@trainyard/core/validation";
import { bodyOf, notNegative, objectsIn, unixTime, type Rows } from "./rule.ts";

/** The rules of chat, in training and in inference. */
export const chat: Rows<
  `${"audio" | "chat" | "choice" | "choices" | "chunk" | "completion" | "usage"}-${string}` | "finish-reason"
> = {
  "usage-sum": (total, { prompt_tokens: prompt, completion_tokens: completion }) =>
    Number(prompt) + Number(completion) === total
      ? undefined
      : `${Number(total)} for ${Number(prompt)} and ${Number(completion)}`,
  "usage-prompt": notNegative,
  "usage-completion": notNegative,
  "completion-created": unixTime,
  "chunk-created": unixTime,
  "audio-expires": unixTime,
  "choices-count": {
    performed: (choices, _, seen) => {
      const { n } = bodyOf(seen);
      const wanted = Number.isInteger(n) ? Number(n) : 1;
      const { length } = objectsIn(choices);
      return length === wanted ? undefined : `${length} choices for n ${wanted}`;
    },
  },
  "choices-unchanged": (choices) => {
    const indexes = objectsIn(choices).map(({ index }) => Number(index));
    return indexes.toSorted((a, b) => a - b).every((index, at) => index === at)
      ? undefined
      : `choices with the indexes ${indexes.join(", ")}`;
  },
  "choice-index": notNegative,
  "finish-reason": (reason, { message }, seen) => {
    const calls = isObject(message) ? objectsIn(message["tool_calls"]) : [];
    if (reason === "tool_calls" && calls.length === 0) return "`tool_calls` without a call";
    const { max_tokens: most, max_completion_tokens: limit } = bodyOf(seen);
    // Without a limit in the request, the model's own limit may apply.
    const isEmpty = !seen.answer.isExample && [most, limit].includes(0);
    return reason === "length" && isEmpty ? "`length` for an empty answer" : undefined;
  },
  "chat-stream": { tried: "as a stream" },
  "chat-model": { unchecked: "which models a service has is its own affair" },
  "chat-model-name": { unchecked: "which models a service has is its own affair" },
  "chat-model-scheme": { unchecked: "which models a service has is its own affair" },
  "chat-choice": { unchecked: "`choices-unchanged` checks the choices, and no run puts them into a trajectory" },
  "chat-retry": { unchecked: "no response says what a call costs" },
  "chat-alias": { unchecked: "a run checks only that the alias exists" },
};
