import { isObject, type JsonObject } from "@trainyard/core/validation";
import type { Sentence } from "../sentences.ts";

const list = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const integer = (value: unknown): number | undefined => (Number.isInteger(value) ? Number(value) : undefined);

export const chat: readonly Sentence[] = [
  {
    schema: "ChatCompletionUsage",
    property: "total_tokens",
    text: "The sum of both.",
    breach: ({ prompt_tokens: prompt, completion_tokens: completion, total_tokens: total }) =>
      Number(prompt) + Number(completion) === total
        ? undefined
        : `${Number(total)} for ${Number(prompt)} and ${Number(completion)}`,
  },
  {
    schema: "ChatCompletionUsage",
    property: "prompt_tokens",
    text: "Tokens of the conversation.",
    breach: ({ prompt_tokens: prompt }) => (Number(prompt) < 0 ? String(prompt) : undefined),
  },
  {
    schema: "ChatCompletionUsage",
    property: "completion_tokens",
    text: "Tokens of all choices.",
    breach: ({ completion_tokens: completion }) => (Number(completion) < 0 ? String(completion) : undefined),
  },
  {
    schema: "ChatCompletion",
    property: "choices",
    text: "The answers: one, or as many as `n` says.",
    performed: true,
    breach: ({ choices }, { body }) => {
      const wanted = integer(isObject(body) ? body["n"] : undefined) ?? 1;
      const { length } = list(choices);
      return length === wanted ? undefined : `${length} choices for n ${wanted}`;
    },
  },
  {
    schema: "ChatCompletion",
    property: "choices",
    text: "You can put each into a trajectory unchanged.",
    breach: ({ choices }) => {
      const indexes = list(choices).map(({ index }) => Number(index));
      const expected = indexes.map((_, at) => at);
      return indexes.toSorted((a, b) => a - b).every((index, at) => index === expected[at])
        ? undefined
        : `choices with the indexes ${indexes.join(", ")}`;
    },
  },
  {
    schema: "Choice",
    property: "finish_reason",
    text: "with calls of tools (`tool_calls`)",
    breach: ({ finish_reason: reason, message }) => {
      const calls = isObject(message) ? list(message["tool_calls"]) : [];
      return reason === "tool_calls" && calls.length === 0 ? "`tool_calls` without a call" : undefined;
    },
  },
  {
    schema: "Choice",
    property: "finish_reason",
    text: "at the largest number of tokens (`length`)",
    performed: true,
    breach: ({ finish_reason: reason }, { body }) => {
      const limits = isObject(body) ? [body["max_tokens"], body["max_completion_tokens"]] : [];
      // Without a limit in the request, the model's own limit may apply.
      return reason === "length" && limits.includes(0) ? "`length` for an empty answer" : undefined;
    },
  },
  {
    schema: "Choice",
    property: "index",
    text: "The place of this choice among the choices of the answer, from 0.",
    breach: ({ index }) => (Number(index) < 0 ? String(index) : undefined),
  },
];
