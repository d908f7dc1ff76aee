import { expect, it } from "vitest";
import { withoutNulls } from "./without-nulls.ts";

it("leaves out tool calls of unlisted kinds", () => {
  const call = { id: "a", type: "function", function: { name: "add", arguments: "{}" } };
  const message = { role: "assistant" as const, tool_calls: [call, { id: "b", type: "web_search", query: "trains" }] };
  expect(withoutNulls(message)).toEqual({ role: "assistant", tool_calls: [call] });
});

it("leaves out null properties, without changing the message", () => {
  const message = { role: "assistant" as const, content: "At 9:31.", refusal: null, tool_calls: null, reasoning: "" };
  expect(withoutNulls(message)).toEqual({ role: "assistant", content: "At 9:31.", reasoning: "" });
  expect(message).toHaveProperty("refusal", null);
});
