import { isObject } from "@trainyard/core/validation";
import { chunk, events, items, json, raw, resent, type Mutant } from "../mutant.ts";

/** Differences in a response alone. */
export const answers: readonly Mutant[] = [
  // Differences in the values of a response.
  json("training models.create writing", "a required field is missing", /base_model/, (model) => {
    delete model["base_model"];
  }),
  json("training models.checkpoints.list writing", "a number is sent as a string", /step/, (page) => {
    for (const item of items(page)) item["step"] = String(item["step"]);
  }),
  json("training models.create writing", "a field that is not nullable is null", /project/, (model) => {
    model["project"] = null;
  }),
  json("training health.check", "a closed enumeration has an additional value", /status/, (health) => {
    health["status"] = "fine";
  }),
  json("training trainingJobs.createRl writing", "an id is not a UUID", /id/, (job) => {
    job["id"] = `job-${String(job["id"]).slice(0, 8)}`;
  }),
  json("training trainingJobs.get writing", "a time has no offset", /training_end/, (job) => {
    if (typeof job["training_end"] === "string") job["training_end"] = job["training_end"].replace(/Z$/, "");
  }),
  json("training trainingJobs.get writing", "a time is a number", /training_end/, (job) => {
    if (typeof job["training_end"] === "string") job["training_end"] = Date.parse(job["training_end"]);
  }),
  json("inference chat.completions.create", "a Unix time is in milliseconds", /created/, (answer) => {
    if (typeof answer["created"] === "number") answer["created"] *= 1000;
  }),
  {
    ...json("inference models.list", "a field is not declared", /permission/, (list) => {
      for (const item of items(list)) item["permission"] = [];
    }),
    certainty: "not declared",
  },
  json("inference models.list", "the items of a list are in another field", /data/, (list) => ({
    object: "list",
    models: list["data"],
  })),
  json("inference models.list", "a constant field has another value", /object/, (list) => {
    list["object"] = "models";
  }),
  json("auxiliary hardware.list", "a price is a string", /cents_per_million_input_tokens/, (answer) => {
    for (const { pricing } of items(answer, "hardware"))
      if (isObject(pricing)) pricing["cents_per_million_input_tokens"] = "12";
  }),
  json("inference chat.completions.create", "the total of the tokens is wrong", /total_tokens/, ({ usage }) => {
    if (isObject(usage)) usage["total_tokens"] = Number(usage["prompt_tokens"]);
  }),
  json("inference models.list", "an integer has a fraction", /created/, (list) => {
    for (const item of items(list)) item["created"] = Number(item["created"]) + 0.5;
  }),
  json("inference models.list", "a list is an object with a key for each id", /data/, (list) => {
    list["data"] = Object.fromEntries(items(list).map((item) => [String(item["id"]), item]));
  }),
  // Differences in the status of a response.
  raw("training models.create 200 writing", "creation returns 201", /201/, (answer) => {
    answer.status = 201;
  }),
  raw("training health.check", "health returns 500", /500/, (answer) => {
    answer.status = 500;
    answer.text = '{"detail": "Something went wrong."}';
  }),
  raw("training trainingJobs.get 404", "an unknown id returns 400", /404|400/, (answer) => {
    answer.status = 400;
  }),
  raw("inference models.list", "a redirect is returned", /307/, (answer, { url }) => {
    answer.status = 307;
    answer.headers.set("location", `${url.pathname}/`);
  }),
  raw("training * 404", "an unknown path returns 200", /404/, (answer, { url }) => {
    if (/models|jobs/.test(url.pathname)) return;
    answer.status = 200;
  }),
  raw("training * 405", "a 405 has no Allow header", /Allow/, (answer) => answer.headers.delete("allow")),
  raw("training health.check any", "HEAD returns another status than GET", /HEAD/, (answer, { method }) => {
    if (method === "HEAD") answer.status = 404;
  }),
  raw("training * 405", "another method is accepted as GET", /405/, (answer) => {
    answer.status = 200;
  }),
  raw("inference models.list any", "HEAD returns another media type than GET", /HEAD/, (answer, { method }) => {
    if (method === "HEAD") answer.headers.set("content-type", "text/html");
  }),
  // Differences in headers, or in the encoding of a body.
  raw("inference models.list", "x-request-id is missing", /x-request-id/, (answer) =>
    answer.headers.delete("x-request-id"),
  ),
  raw("training * any", "x-request-id is always the same", /x-request-id/, (answer) =>
    answer.headers.set("x-request-id", "req_1"),
  ),
  raw("training health.check", "the media type is wrong", /text\/plain/, (answer) =>
    answer.headers.set("content-type", "text/plain"),
  ),
  raw("training health.check", "the charset is not UTF-8", /iso-8859-1/i, (answer) =>
    answer.headers.set("content-type", "application/json; charset=iso-8859-1"),
  ),
  raw("inference models.list", "the body is not valid JSON", /JSON/, (answer) => {
    answer.text = answer.text.slice(0, -1);
  }),
  raw("training models.listBase", "the body is empty", /empty|JSON/, (answer) => {
    answer.text = "";
  }),
  raw(
    "training models.listBase",
    "Retry-After is not a number or date",
    /Retry-After/i,
    (answer, { memory, method }) => {
      if (memory.has("told") || method !== "GET") return;
      memory.set("told", true);
      answer.status = 429;
      answer.headers.set("retry-after", "soon");
      answer.text = '{"detail": "Too many requests."}';
    },
  ),
  // Differences in streams.
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
];
