import { isObject, type JsonObject } from "@trainyard/core/validation";
import { chunk, items, json, resent, type Mutant } from "../mutant.ts";

const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/** Changes the results of each bucket whose name begins with a text. */
const results = (stats: JsonObject, start: string, change: (value: unknown, bucket: JsonObject) => unknown): void => {
  for (const bucket of items(stats, "buckets"))
    for (const name of Object.keys(bucket)) if (name.startsWith(start)) bucket[name] = change(bucket[name], bucket);
};

/** The log probabilities of the tokens of each choice. */
const tokens = (answer: JsonObject): JsonObject[] =>
  items(answer, "choices").flatMap(({ logprobs }) => (isObject(logprobs) ? items(logprobs, "content") : []));

/** Differences between values that belong together: in a response, or in a request and its response. */
export const relations: readonly Mutant[] = [
  // Statistics.
  json("auxiliary feedback.stats", "a percentile is above the maximum", /above (max|p100)/, (stats) =>
    results(stats, "p50", (value) => (number(value) === undefined ? value : Number(value) + 100)),
  ),
  json("auxiliary feedback.stats", "a minimum is above the average", /above avg/, (stats) =>
    results(stats, "min_", (_, bucket) => Number(bucket["avg_output_score"]) + 0.001),
  ),
  json("auxiliary feedback.stats", "a lower percentile is above a higher one", /p0 .*above/, (stats) =>
    results(stats, "p0_", (value, bucket) =>
      number(value) === undefined ? value : Number(bucket["p50_output_score"]) + 0.1,
    ),
  ),
  json("auxiliary feedback.stats", "the averages of buckets are too high", /avg/, (stats) =>
    results(stats, "avg_", (value) => Number(value) * 1.1),
  ),
  json("auxiliary feedback.stats", "the average of the window is that of the averages", /avg/, (stats) => {
    const { window_stats: window } = stats;
    for (const whole of Object.values(isObject(window) ? window : {}))
      if (isObject(whole) && number(whole["avg"]) !== undefined) whole["avg"] = Number(whole["avg"]) * 1.05;
  }),
  json("auxiliary feedback.stats", "a bucket without values has a maximum", /without values/, (stats) =>
    results(stats, "max_", (value) => value ?? 0),
  ),
  json("auxiliary feedback.stats", "a bucket without values has no average", /without values/, (stats) =>
    results(stats, "avg_", (value) => (value === 0 ? null : value)),
  ),
  json("auxiliary feedback.stats", "the keys of a bucket have another order", /order/, (stats) => {
    stats["buckets"] = items(stats, "buckets").map(({ count, ...bucket }) => ({ count, ...bucket }));
  }),
  resent("auxiliary feedback.stats 422", "an end before the start is accepted", /422/, ({ body }) =>
    body["end"] === "1970-01-01T00:00:00Z" ? { body: { ...body, end: body["start"] } } : undefined,
  ),
  // Chat.
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
  // Hardware.
  json("auxiliary hardware.list", "an unknown model has options", /not known/, (answer, { url }) => {
    const pricing = { cents_per_million_input_tokens: 1, cents_per_million_output_tokens: 1 };
    if (url.searchParams.get("model") !== "tiny")
      answer["hardware"] = [{ id: "h9", name: "Nine", type: "cpu", pricing }];
  }),
  // Objects.
  json("auxiliary objects.read", "the digest is not that of the value", /SHA-256/, ({ obj }) => {
    if (isObject(obj)) obj["digest"] = String(obj["digest"]).split("").toReversed().join("");
  }),
  // Models.
  json("training models.delete writing", "a deletion counts other checkpoints", /deleted_checkpoints/, (deleted) => {
    deleted["deleted_checkpoints"] = Number(deleted["deleted_checkpoints"]) + 1;
  }),
];
