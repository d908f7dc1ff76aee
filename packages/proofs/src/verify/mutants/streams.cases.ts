import { isObject, type JsonObject } from "@trainyard/core/validation";
import { chunk, events, items, json, raw, resent, type Mutant } from "../mutant.ts";

/** The log probabilities of the tokens of each choice. */
const tokens = (answer: JsonObject): JsonObject[] =>
  items(answer, "choices").flatMap(({ logprobs }) => (isObject(logprobs) ? items(logprobs, "content") : []));

/** Streams of chunks. */
export const streams: readonly Mutant[] = [
  events("inference chat.completions.create", "a stream has no end event", /\[DONE\]/, (data) =>
    data.filter((one) => one !== "[DONE]"),
  ),
  chunk("inference chat.completions.create", "a chunk lacks a required field", /choices/, (value, index) => {
    if (index === 1) delete value["choices"];
  }),
  events("training chat.completions.create", "no chunk has the usage", /usage/, (data) =>
    data.filter((one) => !/"usage":\{/.test(one)),
  ),
  chunk("inference chat.completions.create", "the chunks have different ids", /share|id/, (value, index) => {
    value["id"] = `chatcmpl-${index}`;
  }),
  events("inference chat.completions.create", "a chunk is sent twice", /add up|stream/, (data) =>
    data.flatMap((one, index) => (index === 2 ? [one, one] : [one])),
  ),
  resent("inference chat.completions.create", "a request for a stream returns JSON", /event-stream/, ({ body }) =>
    body["stream"] === true ? { body: { ...body, stream: false } } : undefined,
  ),
  events("training chat.completions.create", "the end event is sent twice", /\[DONE\]/, (data) => [...data, "[DONE]"]),
  events("training chat.completions.create", "an event is not JSON", /JSON/, (data) =>
    data.map((one, index) => (index === 1 ? `${one},` : one)),
  ),
  events("inference chat.completions.create", "no chunk has a finish reason", /finish_reason/, (data) =>
    data.map((one) => one.replace(/"finish_reason":"\w+"/, '"finish_reason":null')),
  ),
  events("inference chat.completions.create", "a part of the text is missing from a stream", /add up/, (data) =>
    data.filter((_, index) => index !== 2),
  ),
  events("inference chat.completions.create", "the chunks have another object type", /object/, (data) =>
    data.map((one) => one.replace("chat.completion.chunk", "chat.completion")),
  ),
  json("inference chat.completions.create", "one choice is returned instead of two", /choices/, (answer) => {
    answer["choices"] = items(answer, "choices").slice(0, 1);
  }),
  events("inference chat.completions.create", "the usage comes first", /usage/, (data) => {
    const usage = data.filter((one) => /"usage":\{/.test(one));
    return [...usage, ...data.filter((one) => !usage.includes(one))];
  }),
  raw("inference chat.completions.create", "one newline ends an event", /JSON/, (answer) => {
    if (answer.text.startsWith("data:")) answer.text = answer.text.replaceAll("\n\n", "\n");
  }),
  raw("training chat.completions.create", "a stream has the media type of JSON", /event-stream/, (answer) => {
    if (answer.text.startsWith("data:")) answer.headers.set("content-type", "application/json");
  }),
  events("training chat.completions.create", "two pieces of a text are swapped", /add up/, (data) => {
    const [at = 0, next = 0] = data.flatMap((one, index) => (/"content":"[^"]/.test(one) ? [index] : []));
    return data.map((one, index) => data[index === at ? next : index === next ? at : index] ?? one);
  }),
  events("inference chat.completions.create", "each piece has the text so far", /add up/, (data) => {
    let sofar = "";
    return data.map((one) => one.replace(/"content":"([^"]*)"/, (_, next: string) => `"content":"${(sofar += next)}"`));
  }),
  events("inference chat.completions.create", "the text comes again after its end", /last chunk|add up/, (data) => [
    ...data.slice(0, -1),
    ...data.slice(1, 2),
    ...data.slice(-1),
  ]),
  chunk("training chat.completions.create", "each piece has a time of its own", /share|created/, (value, index) => {
    value["created"] = Number(value["created"]) + index;
  }),
  chunk(
    "inference chat.completions.create",
    "the model of the first piece is another",
    /share|model/,
    (value, index) => {
      if (index === 0) value["model"] = "demo/other";
    },
  ),
  chunk("training chat.completions.create", "no piece has the role", /role/, (value) => {
    for (const { delta } of items(value, "choices")) if (isObject(delta)) delete delta["role"];
  }),
  chunk("inference chat.completions.create", "usage comes unasked", /usage/, (value) => {
    value["usage"] ??= { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  }),
  chunk("inference chat.completions.create", "a stream of two choices has one", /choices/, (value) => {
    value["choices"] = items(value, "choices").filter(({ index }) => index === 0);
  }),
  events("training chat.completions.create", "the reason of the end is another", /add up/, (data) =>
    data.map((one) => one.replace(/"finish_reason":"\w+"/, '"finish_reason":"content_filter"')),
  ),
];

/** Whole answers of chat. */
export const chat: readonly Mutant[] = [
  json("inference chat.completions.create", "log probabilities are above 0", /0 or less/, (answer) => {
    for (const token of tokens(answer)) token["logprob"] = 0.5;
  }),
  json("inference chat.completions.create", "the most likely tokens come last", /most likely first/, (answer) => {
    for (const token of tokens(answer)) token["top_logprobs"] = items(token, "top_logprobs").toReversed();
  }),
  json("training chat.completions.create", "log probabilities come unasked", /logprobs/, (answer) => {
    for (const choice of items(answer, "choices")) choice["logprobs"] ??= { content: [], refusal: null };
  }),
  chunk("inference chat.completions.create", "the indexes of a stream begin with 1", /from 0/, (value) => {
    for (const choice of items(value, "choices")) choice["index"] = Number(choice["index"]) + 1;
  }),
  json("inference chat.completions.create", "the kind of object is another", /object/, (answer) => {
    answer["object"] = "text_completion";
  }),
  json("training chat.completions.create", "two choices have the index 0", /index/, (answer) => {
    for (const choice of items(answer, "choices")) choice["index"] = 0;
  }),
  json("inference chat.completions.create", "the indexes of choices begin with 1", /index/, (answer) => {
    for (const choice of items(answer, "choices")) choice["index"] = Number(choice["index"]) + 1;
  }),
  json("inference chat.completions.create", "a whole answer has no reason for its end", /finish_reason/, (answer) => {
    for (const choice of items(answer, "choices")) choice["finish_reason"] = null;
  }),
  json("training chat.completions.create", "the speaker is another", /role/, (answer) => {
    for (const { message } of items(answer, "choices")) if (isObject(message)) message["role"] = "model";
  }),
  json(
    "inference chat.completions.create",
    "an answer that calls tools ends with `stop`",
    /finish_reason/,
    (answer) => {
      for (const choice of items(answer, "choices"))
        if (choice["finish_reason"] === "tool_calls") choice["finish_reason"] = "stop";
    },
  ),
  chunk("inference chat.completions.create", "a stream that calls tools ends with `stop`", /finish_reason/, (value) => {
    for (const choice of items(value, "choices"))
      if (choice["finish_reason"] === "tool_calls") choice["finish_reason"] = "stop";
  }),
  json(
    "inference chat.completions.create",
    "an answer without a call ends with `tool_calls`",
    /finish_reason/,
    (answer) => {
      for (const choice of items(answer, "choices"))
        if (choice["finish_reason"] !== "tool_calls") choice["finish_reason"] = "tool_calls";
    },
  ),
  json("inference chat.completions.create", "log probabilities are missing", /logprobs/, (answer) => {
    for (const choice of items(answer, "choices")) choice["logprobs"] = null;
  }),
  json("inference chat.completions.create", "there are more likely tokens than asked for", /top_logprobs/, (answer) => {
    for (const token of tokens(answer))
      token["top_logprobs"] = [
        ...items(token, "top_logprobs"),
        ...items(token, "top_logprobs").slice(-1),
        ...items(token, "top_logprobs").slice(-1),
      ];
  }),
  json("training chat.completions.create", "the arguments of a call are an object", /arguments/, (answer) => {
    for (const { message } of items(answer, "choices"))
      for (const call of isObject(message) ? items(message, "tool_calls") : [])
        if (isObject(call["function"])) call["function"]["arguments"] = {};
  }),
];
