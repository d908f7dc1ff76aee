import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  APICallError,
  generateObject,
  generateText,
  isStepCount,
  jsonSchema,
  streamObject,
  streamText,
  tool,
} from "ai";
import { z } from "zod";
import { departed, failure, must, parameters, question, system, type Calls, type Target } from "./call.ts";

const provider = ({ baseURL, apiKey, fetch }: Target) =>
  createOpenAICompatible({
    name: "trainyard",
    baseURL,
    apiKey,
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
const base = (target: Target) => ({ model: provider(target)(target.model), system, prompt: question, maxRetries: 0 });
const bicycles = z.object({ allowed: z.boolean(), most: z.int() });
const station = z.object({ name: z.string(), tracks: z.array(z.int()).min(1) });

const toolsOf = (stations: string[]) => ({
  next_departures: tool({
    description: "Lists the next departures of a station.",
    inputSchema: jsonSchema<{ station: string }>(parameters),
    execute: async ({ station }) => {
      stations.push(station);
      return departed;
    },
  }),
});

/** The features of `ai` with `@ai-sdk/openai-compatible`. */
export const calls: Calls = {
  async generateText(target) {
    const { text, usage, finishReason } = await generateText({ ...base(target), seed: 1 });
    must(text !== "" && (usage.totalTokens ?? 0) > 0, "words and a usage");
    must(finishReason === "stop" || finishReason === "length", "a reason to finish");
  },
  async streamText(target) {
    const { textStream, usage } = streamText({ ...base(target), onError: () => undefined });
    let text = "";
    for await (const part of textStream) text += part;
    must(text !== "" && ((await usage).totalTokens ?? 0) > 0, "words and a usage");
  },
  async "generateText with tools in several steps"(target) {
    const stations: string[] = [];
    const { text, steps } = await generateText({
      ...base(target),
      tools: toolsOf(stations),
      stopWhen: isStepCount(3),
    });
    must(stations.length > 0, "the tool to be run");
    must(steps.length >= 2 && text !== "", "an answer in words from the tool's result");
  },
  async "streamText with tools in several steps"(target) {
    const stations: string[] = [];
    const result = streamText({
      ...base(target),
      tools: toolsOf(stations),
      stopWhen: isStepCount(3),
      onError: () => undefined,
    });
    for await (const part of result.fullStream) must(part.type !== "error", "no error in the stream");
    must(stations.length > 0 && (await result.steps).length >= 2, "the tool to be run");
  },
  async "generateText, tool by name"(target) {
    const toolChoice = { type: "tool" as const, toolName: "next_departures" as const };
    const { toolCalls } = await generateText({ ...base(target), tools: toolsOf([]), toolChoice });
    must(toolCalls[0]?.toolName === "next_departures", "a call of the tool");
  },
  async "generateText, tool required"(target) {
    const { toolCalls } = await generateText({ ...base(target), tools: toolsOf([]), toolChoice: "required" });
    must(toolCalls.length > 0, "a call of a tool");
  },
  async generateObject(target) {
    const { object } = await generateObject({ ...base(target), schema: bicycles, schemaName: "bicycles" });
    must(typeof object.allowed === "boolean", "an object that fits");
  },
  async "generateObject, a schema of one's own"(target) {
    const { object } = await generateObject({ ...base(target), schema: station });
    must(object.tracks.length > 0, "an object that fits");
  },
  async "generateObject without a schema"(target) {
    const { object } = await generateObject({ ...base(target), output: "no-schema" });
    must(typeof object === "object" && object !== null, "an object");
  },
  async streamObject(target) {
    const result = streamObject({
      ...base(target),
      schema: bicycles,
      schemaName: "bicycles",
      onError: () => undefined,
    });
    let parts = 0;
    for await (const part of result.partialObjectStream) if (part !== undefined) parts++;
    must(parts > 0 && typeof (await result.object).allowed === "boolean", "an object that fits");
  },
  async abort(target) {
    const controller = new AbortController();
    const call = generateText({ ...base(target), abortSignal: controller.signal });
    controller.abort();
    const error = await failure(call);
    must(error instanceof Error && error.name === "AbortError", "AbortError");
  },
  async "unknown model"(target) {
    const error = await failure(generateText({ ...base(target), model: provider(target)("demo/gigantic") }));
    must(APICallError.isInstance(error) && error.statusCode === 404, "an APICallError with 404");
    if (target.service === "inference") must(error.message.includes("demo/gigantic"), "the name in its message");
  },
  async "wrong key"(target) {
    const error = await failure(generateText(base({ ...target, apiKey: "wrong" })));
    must(APICallError.isInstance(error) && error.statusCode === 401 && !error.isRetryable, "an APICallError with 401");
  },
  async "wrong parameter"(target) {
    const error = await failure(generateText({ ...base(target), temperature: 9 }));
    must(APICallError.isInstance(error), "an APICallError");
    must(error.statusCode === (target.service === "inference" ? 400 : 422), "the status of an invalid request");
    if (target.service === "inference") must(error.message.includes("temperature"), "the parameter in its message");
  },
};
