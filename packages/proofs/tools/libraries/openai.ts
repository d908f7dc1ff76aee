import OpenAI from "openai";
import { zodFunction, zodResponseFormat } from "openai/helpers/zod";
import { z } from "zod";
import {
  departed,
  departures,
  failure,
  messages,
  must,
  parameters,
  question,
  type Calls,
  type Target,
} from "./call.ts";

const client = ({ apiKey, baseURL, fetch }: Target, extra: object = {}) =>
  new OpenAI({ apiKey, baseURL, fetch, maxRetries: 0, dangerouslyAllowBrowser: true, ...extra });
const chat = (target: Target) => client(target).chat.completions;
/** Asks the question, with more in the body. */
const ask = (target: Target, more: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {}) =>
  chat(target).create({ model: target.model, messages, ...more });
const tools = [departures];
const Answer = z.object({ allowed: z.boolean(), most: z.int() });
const Own = z.object({ station: z.string(), tracks: z.array(z.int()).min(1), kind: z.enum(["stop", "junction"]) });

/** The call of the tool in a choice. */
function callIn(choice: OpenAI.ChatCompletion.Choice | undefined): OpenAI.ChatCompletionMessageFunctionToolCall {
  const call = choice?.message.tool_calls?.[0];
  must(call?.type === "function" && call.function.name === "next_departures", "a call of the tool");
  return call;
}

const runnable = (stations: string[]) => [
  {
    type: "function" as const,
    function: {
      name: "next_departures",
      description: "Lists the next departures of a station.",
      parameters,
      parse: (text: string) => Object(JSON.parse(text)),
      function: async ({ station }: { station: string }) => {
        stations.push(station);
        return JSON.stringify(departed);
      },
    },
  },
];

/** The features of `openai` that the documents declare. */
export const calls: Calls = {
  async complete(target) {
    const { choices, usage, id } = await ask(target, { seed: 1 });
    must(choices.length === 1 && choices[0]?.message.content, "an answer in words");
    must(id !== "" && (usage?.total_tokens ?? 0) > 0, "an id and a usage");
  },
  async "complete withResponse"(target) {
    const { data, response, request_id } = await ask(target, { max_completion_tokens: 20 }).withResponse();
    must(response.status === 200 && request_id?.startsWith("req_"), "a request id");
    must(Object(data)._request_id === request_id, "the same request id on the answer");
  },
  async stream(target) {
    const stream = await chat(target).create({ model: target.model, messages, stream: true });
    let text = "";
    let reason: string | null = null;
    for await (const { choices } of stream) {
      text += choices[0]?.delta.content ?? "";
      reason = choices[0]?.finish_reason ?? reason;
    }
    must(text.length > 0 && reason !== null, "words and a reason to finish");
  },
  async "stream helper with usage"(target) {
    const events: string[] = [];
    const options = { stream_options: { include_usage: true } };
    const stream = chat(target).stream({ model: target.model, messages, ...options });
    stream.on("content", (delta) => events.push(delta));
    const completion = await stream.finalChatCompletion();
    must(events.join("") === completion.choices[0]?.message.content, "the pieces to add up to the answer");
    must((await stream.totalUsage()).total_tokens > 0, "a usage");
  },
  async "tools, auto"(target) {
    const call = callIn((await ask(target, { tools, tool_choice: "auto" })).choices[0]);
    must(typeof JSON.parse(call.function.arguments).station === "string", "arguments that fit");
  },
  async "tools, required"(target) {
    const { choices } = await ask(target, { tools, tool_choice: "required" });
    must(choices[0]?.message.tool_calls?.length, "a call of a tool");
    must(choices[0]?.finish_reason === "tool_calls", "the reason tool_calls");
  },
  async "tools, by name"(target) {
    const tool_choice = { type: "function", function: { name: "next_departures" } } as const;
    callIn((await ask(target, { tools, tool_choice })).choices[0]);
  },
  async "tools, none"(target) {
    const { choices } = await ask(target, { messages: [messages[1]], tool_choice: "none", tools });
    must(choices.length === 1, "an answer");
  },
  async "tools, allowed_tools"(target) {
    const named = [{ type: "function", function: { name: "next_departures" } }];
    const tool_choice = { type: "allowed_tools" as const, allowed_tools: { mode: "required" as const, tools: named } };
    callIn((await ask(target, { tools, tool_choice })).choices[0]);
  },
  async "tools, custom"(target) {
    const search = { type: "custom" as const, custom: { name: "search_timetable" } };
    const { choices } = await ask(target, { tools: [search], tool_choice: "required" });
    const call = choices[0]?.message.tool_calls?.[0];
    must(call?.type === "custom" && call.custom.name === "search_timetable" && call.custom.input, "a call with text");
  },
  async "tools, streamed"(target) {
    const stream = chat(target).stream({ model: target.model, messages, tools, tool_choice: "required" });
    const message = await stream.finalMessage();
    const call = message.tool_calls?.[0];
    must(call?.type === "function" && JSON.parse(call.function.arguments).station !== undefined, "a whole call");
  },
  async "tool result sent back"(target) {
    const first = await ask(target, { tools });
    const message = first.choices[0]?.message;
    const call = message?.tool_calls?.[0];
    must(message && call, "a call of the tool");
    const result = { role: "tool" as const, tool_call_id: call.id, content: JSON.stringify(departed) };
    const { choices } = await ask(target, { messages: [...messages, message, result], tools });
    must(choices[0]?.message.content, "an answer in words");
  },
  async runTools(target) {
    const stations: string[] = [];
    const runner = chat(target).runTools({ model: target.model, messages, tools: runnable(stations) });
    const content = await runner.finalContent();
    must(content, "an answer in words");
    must(stations.length > 0, "the tool to be run");
  },
  async "runTools, streamed"(target) {
    const stations: string[] = [];
    const runner = chat(target).runTools({ model: target.model, messages, stream: true, tools: runnable(stations) });
    must(await runner.finalContent(), "an answer in words");
    must(stations.length > 0, "the tool to be run");
  },
  async json_object(target) {
    const { choices } = await ask(target, { response_format: { type: "json_object" } });
    must(typeof JSON.parse(choices[0]?.message.content ?? "") === "object", "a JSON object");
  },
  async "json_schema by parse"(target) {
    const response_format = zodResponseFormat(Answer, "bicycles");
    const { choices } = await chat(target).parse({ model: target.model, messages, response_format });
    must(typeof choices[0]?.message.parsed?.allowed === "boolean", "an object that fits");
  },
  async "json_schema by parse, a schema of one's own"(target) {
    const response_format = zodResponseFormat(Own, "station");
    const { choices } = await chat(target).parse({ model: target.model, messages, response_format });
    must(Own.safeParse(choices[0]?.message.parsed).success, "an object that fits");
  },
  async "json_schema by parse, streamed"(target) {
    const response_format = zodResponseFormat(Answer, "bicycles");
    const stream = chat(target).stream({ model: target.model, messages, response_format });
    const completion = await stream.finalChatCompletion();
    must(Answer.safeParse(completion.choices[0]?.message.parsed).success, "an object that fits");
  },
  async "tool by zod"(target) {
    const Arguments = z.object({ station: z.string() });
    const tool = zodFunction({ name: "next_departures", parameters: Arguments });
    const { choices } = await chat(target).parse({
      model: target.model,
      messages,
      tools: [tool],
      tool_choice: "required",
    });
    const call = choices[0]?.message.tool_calls?.[0];
    must(Arguments.safeParse(Object(call).function?.parsed_arguments).success, "arguments that fit");
  },
  async logprobs(target) {
    const { choices } = await ask(target, { logprobs: true, top_logprobs: 2 });
    const first = choices[0]?.logprobs?.content?.[0];
    must(first && first.logprob <= 0 && first.top_logprobs.length > 0, "log probabilities");
  },
  async n(target) {
    const { choices } = await ask(target, { n: 2 });
    must(choices.map(({ index }) => index).join() === "0,1", "two choices");
  },
  async "n, streamed"(target) {
    const stream = chat(target).stream({ model: target.model, messages, n: 2 });
    const { choices } = await stream.finalChatCompletion();
    must(choices.length === 2 && choices.every(({ message }) => message.content), "two answers in words");
  },
  async "every parameter"(target) {
    const { choices } = await ask(target, {
      temperature: 0.5,
      top_p: 0.9,
      max_completion_tokens: 50,
      stop: ["\n"],
      seed: 7,
      frequency_penalty: 0.1,
      presence_penalty: 0.1,
      logit_bias: { "50": -1 },
      reasoning_effort: "low",
      user: "traveler-1",
      metadata: { run: "1" },
      store: false,
    });
    must(choices[0]?.message, "an answer");
  },
  async "abort before the answer"(target) {
    const controller = new AbortController();
    const call = chat(target).create({ model: target.model, messages }, { signal: controller.signal });
    controller.abort();
    must((await failure(call)) instanceof OpenAI.APIUserAbortError, "APIUserAbortError");
  },
  async "abort of a stream"(target) {
    const stream = await chat(target).create({ model: target.model, messages, stream: true });
    let chunks = 0;
    for await (const chunk of stream) {
      must(chunk.object === "chat.completion.chunk", "a chunk");
      if (++chunks === 1) stream.controller.abort();
    }
    must(chunks >= 1, "a chunk before the end");
  },
  async "models.list"(target) {
    if (target.service === "training") return;
    const ids: string[] = [];
    for await (const { id } of client(target).models.list()) ids.push(id);
    must(ids.includes(target.model), `${target.model} in the list`);
  },
  async "models.retrieve"(target) {
    if (target.service === "training") return;
    const { id } = await client(target).models.retrieve(target.model);
    must(id === target.model, "the model");
  },
  async "project and organization"(target) {
    const { chat } = client(target, { project: "harbor/support-desk", organization: "harbor" });
    const { choices } = await chat.completions.create({ model: target.model, messages });
    must(choices[0]?.message.content, "an answer in words");
  },
  async "unknown model"(target) {
    const error = await failure(ask(target, { model: "demo/gigantic" }));
    must(error instanceof OpenAI.NotFoundError, "NotFoundError");
    must(error.status === 404 && error.message.includes("demo/gigantic"), "the name in its message");
    must(error.requestID?.startsWith("req_"), "a request id");
    if (target.service === "inference") must(error.code === "model_not_found", "the code model_not_found");
  },
  async "wrong key"(target) {
    const error = await failure(ask({ ...target, apiKey: "wrong" }));
    must(error instanceof OpenAI.AuthenticationError, "AuthenticationError");
    must(error.status === 401 && error.requestID?.startsWith("req_"), "a request id");
    if (target.service === "inference") must(error.code === "invalid_api_key", "the code invalid_api_key");
  },
  async "wrong parameter"(target) {
    const error = await failure(ask(target, { temperature: 9 }));
    if (target.service === "inference") {
      must(error instanceof OpenAI.BadRequestError, "BadRequestError");
      must(error.param === "temperature" && error.code === "invalid_value", "the parameter and a code");
    } else must(error instanceof OpenAI.UnprocessableEntityError, "UnprocessableEntityError");
    must(error.message.includes("2"), "the limit in its message");
  },
  async "messages of parts"(target) {
    const content = [
      { type: "text" as const, text: question },
      { type: "image_url" as const, image_url: { url: "data:image/png;base64,AA==", detail: "low" as const } },
    ];
    const { choices } = await ask(target, { messages: [{ role: "user", content }] });
    must(choices[0]?.message, "an answer");
  },
};
