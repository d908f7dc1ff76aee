import { expect, it } from "vitest";
import type { Unlisted } from "../unlisted.ts";
import { isFunctionCall, withoutNulls } from "./without-nulls.ts";

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

it("picks the tool calls of functions, with their type", () => {
  const calls = [
    { type: "function" as const, function: { name: "f" } },
    { type: "custom" as const, custom: { name: "c" } },
    { type: "later" as Unlisted },
  ];
  const names: string[] = calls.filter(isFunctionCall).map((call) => call.function.name);
  expect(names).toEqual(["f"]);
});
