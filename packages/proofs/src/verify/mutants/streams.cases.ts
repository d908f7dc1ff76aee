import { isObject, type JsonObject } from "@trainyard/core/validation";
import { chunk, each, events, items, json, raw, resent, type Mutant } from "../mutant.ts";

const inference = "inference chat.completions.create";
const training = "training chat.completions.create";

/** The log probabilities of the tokens of each choice. */
const tokens = (answer: JsonObject): JsonObject[] =>
  items(answer, "choices").flatMap(({ logprobs }) => (isObject(logprobs) ? items(logprobs, "content") : []));

/** A change of each choice. */
const choices = (change: Parameters<typeof each>[0]) => each(change, "choices");
const next = (index: unknown) => Number(index) + 1;
const stops = choices({ finish_reason: (reason) => (reason === "tool_calls" ? "stop" : reason) });

/** Streams of chunks. */
export const streams: readonly Mutant[] = [
  events(inference, "a stream has no end event", /\[DONE\]/, (data) => data.filter((one) => one !== "[DONE]")),
  chunk(inference, "a chunk lacks a required field", /choices/, (value, index) => {
    if (index === 1) delete value["choices"];
  }),
  events(training, "no chunk has the usage", /usage/, (data) => data.filter((one) => !/"usage":\{/.test(one))),
  chunk(inference, "the chunks have different ids", /share|id/, (value, index) => {
    value["id"] = `chatcmpl-${index}`;
  }),
  events(inference, "a chunk is sent twice", /add up|stream/, (data) =>
    data.flatMap((one, index) => (index === 2 ? [one, one] : [one])),
  ),
  resent(inference, "a request for a stream returns JSON", /event-stream/, ({ body }) =>
    body["stream"] === true ? { body: { ...body, stream: false } } : undefined,
  ),
  events(training, "the end event is sent twice", /\[DONE\]/, (data) => [...data, "[DONE]"]),
  events(training, "an event is not JSON", /JSON/, (data) => data.map((one, index) => (index === 1 ? `${one},` : one))),
  events(inference, "no chunk has a finish reason", /finish_reason/, (data) =>
    data.map((one) => one.replace(/"finish_reason":"\w+"/, '"finish_reason":null')),
  ),
  events(inference, "a part of the text is missing from a stream", /add up/, (data) =>
    data.filter((_, index) => index !== 2),
  ),
  events(inference, "the chunks have another object type", /object/, (data) =>
    data.map((one) => one.replace("chat.completion.chunk", "chat.completion")),
  ),
  json(inference, "one choice is returned instead of two", /choices/, (answer) => {
    answer["choices"] = items(answer, "choices").slice(0, 1);
  }),
  events(inference, "the usage comes first", /usage/, (data) => {
    const usage = data.filter((one) => /"usage":\{/.test(one));
    return [...usage, ...data.filter((one) => !usage.includes(one))];
  }),
  raw(inference, "one newline ends an event", /JSON/, (answer) => {
    if (answer.text.startsWith("data:")) answer.text = answer.text.replaceAll("\n\n", "\n");
  }),
  raw(training, "a stream has the media type of JSON", /event-stream/, (answer) => {
    if (answer.text.startsWith("data:")) answer.headers.set("content-type", "application/json");
  }),
  events(training, "two pieces of a text are swapped", /add up/, (data) => {
    const [at = 0, next = 0] = data.flatMap((one, index) => (/"content":"[^"]/.test(one) ? [index] : []));
    return data.map((one, index) => data[index === at ? next : index === next ? at : index] ?? one);
  }),
  events(inference, "each piece has the text so far", /add up/, (data) => {
    let sofar = "";
    return data.map((one) => one.replace(/"content":"([^"]*)"/, (_, next: string) => `"content":"${(sofar += next)}"`));
  }),
  events(inference, "the text comes again after its end", /last chunk|add up/, (data) => [
    ...data.slice(0, -1),
    ...data.slice(1, 2),
    ...data.slice(-1),
  ]),
  chunk(training, "each piece has a time of its own", /share|created/, (value, index) => {
    value["created"] = Number(value["created"]) + index;
  }),
  chunk(inference, "the model of the first piece is another", /share|model/, (value, index) => {
    if (index === 0) value["model"] = "demo/other";
  }),
  chunk(training, "no piece has the role", /role/, (value) => {
    for (const { delta } of items(value, "choices")) if (isObject(delta)) delete delta["role"];
  }),
  chunk(inference, "usage comes unasked", /usage/, (value) => {
    value["usage"] ??= { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  }),
  chunk(inference, "a stream of two choices has one", /choices/, (value) => {
    value["choices"] = items(value, "choices").filter(({ index }) => index === 0);
  }),
  events(training, "the reason of the end is another", /add up/, (data) =>
    data.map((one) => one.replace(/"finish_reason":"\w+"/, '"finish_reason":"content_filter"')),
  ),
];

/** Whole answers of chat. */
export const chat: readonly Mutant[] = [
  json(inference, "log probabilities are above 0", /0 or less/, (answer) => {
    for (const token of tokens(answer)) token["logprob"] = 0.5;
  }),
  json(inference, "the most likely tokens come last", /most likely token is first/, (answer) => {
    for (const token of tokens(answer)) token["top_logprobs"] = items(token, "top_logprobs").toReversed();
  }),
  chunk(inference, "log probabilities of a stream are above 0", /0 or less/, (answer) => {
    for (const token of tokens(answer)) token["logprob"] = 0.5;
  }),
  chunk(training, "the most likely tokens of a stream come last", /most likely token is first/, (answer) => {
    for (const token of tokens(answer)) token["top_logprobs"] = items(token, "top_logprobs").toReversed();
  }),
  json(training, "log probabilities come unasked", /logprobs/, (answer) => {
    for (const choice of items(answer, "choices")) choice["logprobs"] ??= { content: [], refusal: null };
  }),
  chunk(inference, "the indexes of a stream begin with 1", /from 0/, choices({ index: next })),
  json(inference, "the kind of object is another", /object/, { object: "text_completion" }),
  json(training, "two choices have the index 0", /index/, choices({ index: 0 })),
  json(inference, "the indexes of choices begin with 1", /index/, choices({ index: next })),
  json(inference, "a whole answer has no reason for its end", /finish_reason/, choices({ finish_reason: null })),
  json(training, "the speaker is another", /role/, (answer) => {
    for (const { message } of items(answer, "choices")) if (isObject(message)) message["role"] = "model";
  }),
  json(inference, "an answer that calls tools ends with `stop`", /finish_reason/, stops),
  chunk(inference, "a stream that calls tools ends with `stop`", /finish_reason/, stops),
  json(
    inference,
    "an answer without a call ends with `tool_calls`",
    /finish_reason/,
    choices({ finish_reason: "tool_calls" }),
  ),
  json(inference, "log probabilities are missing", /logprobs/, choices({ logprobs: null })),
  json(inference, "there are more likely tokens than asked for", /top_logprobs/, (answer) => {
    for (const token of tokens(answer))
      for (let more = 0; more < 2; more++)
        token["top_logprobs"] = [...items(token, "top_logprobs"), ...items(token, "top_logprobs").slice(-1)];
  }),
  json(training, "the arguments of a call are an object", /arguments/, (answer) => {
    for (const { message } of items(answer, "choices"))
      for (const call of isObject(message) ? items(message, "tool_calls") : [])
        if (isObject(call["function"])) call["function"]["arguments"] = {};
  }),
];
