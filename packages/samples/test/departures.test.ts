import { createInferenceClient } from "@trainyard/inference";
import { useMock } from "@trainyard/mock/vitest";
import { expect, it } from "vitest";
import { ask } from "./departures.ts";

// A plan that no request uses fails its test.
const mock = useMock("inference", { failOnPending: true });
const inference = createInferenceClient({ ...mock.connect(), maxRetries: 0 });

it("runs the tool that the model calls, and returns the answer", async () => {
  mock.once("chat.completions.create", {
    toolCalls: [{ name: "departures", arguments: { station: "Voss" } }],
  });
  mock.once("chat.completions.create", {
    chunks: ["The next train ", "leaves at 9:31."],
  });
  expect(await ask(inference, "When does the next train leave Voss?")).toBe(
    "The next train leaves at 9:31.",
  );
  const [, second] = mock.requests("chat.completions.create");
  expect(second?.body).toMatchObject({
    messages: [
      { role: "user" },
      { role: "assistant" },
      { role: "tool", content: "Voss 9:31" },
    ],
  });
});

it("reports that the answer broke off", async () => {
  mock.once("chat.completions.create", {
    chunks: ["The next ", "train"],
    cutAfter: 1,
  });
  expect(await ask(inference, "When?")).toBe("The next … (the connection broke)");
});

it("continues until the model calls no more tools", async () => {
  mock.on("chat.completions.create", ({ body }) => {
    const results = body.messages.filter(({ role }) => role === "tool").length;
    const station = ["Voss", "Myrdal", "Finse"][results];
    return station === undefined
      ? { chunks: [`Asked ${results} times.`] }
      : { toolCalls: [{ name: "departures", arguments: { station } }] };
  });
  expect(await ask(inference, "Which leaves first?")).toBe("Asked 3 times.");
});
