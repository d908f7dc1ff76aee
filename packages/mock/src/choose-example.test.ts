import { expect, it } from "vitest";
import { caller } from "../test/call.ts";
import { mockService } from "./index.ts";

const user = { role: "user", content: "When does the next train leave Voss?" };
const plain = { model: "demo/tiny", messages: [user] };
const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];
const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
const answered = [
  user,
  { role: "assistant", content: null, tool_calls: [call] },
  { role: "tool", tool_call_id: "c", content: "1" },
];
/** The schema of the request that the documents show. An answer to another one is made by it. */
const shown = {
  type: "object",
  properties: { allowed: { type: "boolean" }, most: { type: "integer" } },
  required: ["allowed", "most"],
  additionalProperties: false,
};
const schema = { type: "json_schema", json_schema: { name: "s", schema: shown } };

/** The fields of a request besides the conversation, and the example that is returned. */
const requests: [what: string, extra: object, example: string][] = [
  ["nothing more", {}, "plain"],
  ["settings of sampling", { temperature: 0.2, seed: 7, max_completion_tokens: 9, user: "u" }, "plain"],
  ["one choice", { n: 1 }, "plain"],
  ["two choices", { n: 2 }, "two-choices"],
  ["log probabilities", { logprobs: true }, "logprobs"],
  ["log probabilities of rivals", { logprobs: true, top_logprobs: 5 }, "logprobs"],
  ["no log probabilities", { logprobs: false }, "plain"],
  ["a JSON object", { response_format: { type: "json_object" } }, "json-object"],
  ["JSON of a schema", { response_format: schema }, "json-schema"],
  ["tools", { tools }, "tools"],
  ["required tool calls", { tools, tool_choice: "required" }, "tools"],
  ["a custom tool", { tools: [{ type: "custom", custom: { name: "c" } }] }, "custom-tool"],
  ["tools with a result", { tools, messages: answered }, "tool-result"],
  ["a stream", { stream: true }, "stream"],
  ["a stream with its usage", { stream: true, stream_options: { include_usage: true } }, "stream"],
  ["a stream with tools", { stream: true, tools }, "stream-tools"],
];

it.each(["training", "inference"] as const)(
  "selects the example of %s by the content of the request",
  async (service) => {
    const send = caller(mockService(service).connect());
    const path = service === "training" ? "/v1/chat/completions" : "/chat/completions";
    for (const [what, extra, example] of requests) {
      const { status, headers } = await send(`POST ${path}`, { body: { ...plain, ...extra } });
      expect([what, status, headers.get("x-trainyard-example")]).toEqual([what, 200, example]);
    }
  },
);

it.each([
  ["demo/tiny", 200, "demo/tiny"],
  ["artifact:///harbor/support-desk/agent-1:step1", 200, "artifact:///harbor/support-desk/agent-1:step1"],
  ["somebody/else", 200, "demo/tiny"],
  ["demo/gigantic", 404, undefined],
])("selects the example with the id in the path: %s", async (name, status, id) => {
  const { baseUrl, apiKey, fetch } = mockService("inference").connect();
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${baseUrl}/models/${encodeURIComponent(name)}`, { headers });
  expect({ status: response.status, id: Object(await response.json()).id }).toEqual({ status, id });
});
