import { HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { z } from "zod";
import { departed, failure, must, question, system, type Calls, type Target } from "./call.ts";

const model = ({ model, apiKey, baseURL, fetch }: Target, extra: object = {}) =>
  new ChatOpenAI({ model, apiKey, maxRetries: 0, configuration: { baseURL, fetch }, ...extra });
const conversation = [new SystemMessage(system), new HumanMessage(question)];
const bicycles = z.object({ allowed: z.boolean(), most: z.int() });
const station = z.object({ name: z.string(), tracks: z.array(z.int()).min(1) });
const departures = tool(async () => JSON.stringify(departed), {
  name: "next_departures",
  description: "Lists the next departures of a station.",
  schema: z.object({ station: z.string() }),
});

/** The features of `@langchain/openai`. */
export const calls: Calls = {
  async invoke(target) {
    const { content, response_metadata } = await model(target).invoke(conversation);
    must(typeof content === "string" && content !== "", "an answer in words");
    must(Object(response_metadata)["tokenUsage"]?.totalTokens > 0, "a usage");
  },
  async stream(target) {
    let text = "";
    for await (const chunk of await model(target).stream(conversation)) text += String(chunk.content);
    must(text !== "", "words");
  },
  async batch(target) {
    const answers = await model(target).batch([conversation, conversation, conversation], { maxConcurrency: 2 });
    must(answers.length === 3 && answers.every(({ content }) => content !== ""), "three answers");
  },
  async "bindTools and the tool's result"(target) {
    const bound = model(target).bindTools([departures]);
    const first = await bound.invoke(conversation);
    const [call] = first.tool_calls ?? [];
    must(call?.name === "next_departures", "a call of the tool");
    const result = await departures.invoke({ station: "Voss" });
    const answered = new ToolMessage({ content: String(result), tool_call_id: call.id ?? "" });
    const { content } = await bound.invoke([...conversation, first, answered]);
    must(content !== "", "an answer in words");
  },
  async "bindTools, streamed"(target) {
    const stream = await model(target).bindTools([departures]).stream(conversation);
    const names: string[] = [];
    for await (const { tool_call_chunks: chunks } of stream)
      for (const { name } of chunks ?? []) if (name) names.push(name);
    must(names.includes("next_departures"), "a call of the tool");
  },
  async "bindTools, required"(target) {
    const { tool_calls } = await model(target)
      .bindTools([departures], { tool_choice: "required" })
      .invoke(conversation);
    must(tool_calls?.length, "a call of a tool");
  },
  async withStructuredOutput(target) {
    const { allowed } = await model(target).withStructuredOutput(bicycles, { name: "bicycles" }).invoke(conversation);
    must(typeof allowed === "boolean", "an object that fits");
  },
  async "withStructuredOutput, a schema of one's own"(target) {
    const { tracks } = await model(target).withStructuredOutput(station, { name: "station" }).invoke(conversation);
    must(tracks.length > 0, "an object that fits");
  },
  async "withStructuredOutput, json mode"(target) {
    const options = { name: "any", method: "jsonMode" as const };
    const object = await model(target).withStructuredOutput(z.looseObject({}), options).invoke(conversation);
    must(typeof object === "object", "an object");
  },
  async logprobs(target) {
    const { response_metadata } = await model(target, { logprobs: true, topLogprobs: 2 }).invoke(conversation);
    must(Object(response_metadata)["logprobs"]?.content?.length > 0, "log probabilities");
  },
  async abort(target) {
    const controller = new AbortController();
    const call = model(target).invoke(conversation, { signal: controller.signal });
    controller.abort();
    must((await failure(call)) instanceof Error, "an error");
  },
  async "unknown model"(target) {
    const error = Object(await failure(model(target, { model: "demo/gigantic" }).invoke(conversation)));
    must(error.status === 404 && String(error.message).includes("demo/gigantic"), "a 404 with the name");
  },
  async "wrong key"(target) {
    const error = Object(await failure(model(target, { apiKey: "wrong" }).invoke(conversation)));
    must(error.status === 401, "a 401");
  },
  async "wrong parameter"(target) {
    const error = Object(await failure(model(target, { temperature: 9 }).invoke(conversation)));
    must(error.status === (target.service === "inference" ? 400 : 422), "the status of an invalid request");
  },
};
