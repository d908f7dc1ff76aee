import { contentHash, createAnswerCheck, validatorOf, type Violation } from "@trainyard/host";
import { ruleCheck } from "@trainyard/live";
import { expect, it } from "vitest";
import { readContracts } from "../src/http/documents.ts";

// Checks the checker that validates every response of every test against its document.
const found: Violation[] = [];
const checks = readContracts().map(({ name, document: { root, operations } }) => ({
  name,
  check: createAnswerCheck({ name, root, rules: ruleCheck() }, validatorOf(root), (violation) => found.push(violation)),
  of: (operation: string) => operations.find((one) => one.name === operation) ?? expect.fail(operation),
}));
const [training, inference, auxiliary] = ["training", "inference", "auxiliary"].map((name) =>
  checks.find((one) => one.name === name),
);
if (!training || !inference || !auxiliary) throw new Error("A service is missing.");

function judge(status: number, text: string): string[] {
  training?.check.json(training.of("health.check"), status, "application/json", text);
  return found.splice(0).map(({ operation, problem }) => `${operation}: ${problem}`);
}

it("reports a response that its document does not allow", () => {
  expect(judge(200, '{"status":"ok"}')).toEqual([]);
  expect(judge(200, '{"status":"fine"}')).toEqual([expect.stringMatching(/^training health\.check: status: /)]);
  expect(judge(200, "{}")).toEqual([expect.stringContaining("required")]);
  expect(judge(200, "<html>")).toEqual(["training health.check: The answer is not JSON."]);
  expect(judge(418, '{"detail":"tea"}')).toEqual([
    "training health.check: The document declares no application/json for status 418.",
  ]);
});

it("reports a value that breaks a rule of its document", () => {
  const job = { id: "d4f8a2b6-7c1e-4935-9ae0-5b6d8c2f1e43", status: "failed", error_message: "No trajectories." };
  const ask = (body: object, operation = "trainingJobs.get"): string[] => {
    training.check.json(training.of(operation), 200, "application/json", JSON.stringify(body));
    return found.splice(0).map(({ problem }) => problem);
  };
  expect(ask(job)).toEqual([]);
  expect(ask({ ...job, error_message: null })).toEqual([expect.stringContaining("a failed job without a reason")]);
  // What is final is remembered.
  expect(ask({ id: job.id, status: "running" })).toEqual([expect.stringContaining("running after failed")]);
  // A repeated creation may return its first response.
  expect(ask({ id: job.id, status: "queued" }, "trainingJobs.createRl")).toEqual([]);
});

it("reports a digest that is not that of the value, with its numbers as they were written", () => {
  const asked = { url: "http://127.0.0.1/obj/read", params: {}, value: {} };
  const rest =
    '"created_at":"2026-11-04T08:00:00Z","version_index":0,"is_latest":1,"kind":"object","base_object_class":null';
  const ask = (digest: string): string[] => {
    const text = `{"obj":{"project_id":"p","object_id":"o","digest":"${digest}",${rest},"val":{"b":1.0,"a":1e5}}}`;
    auxiliary.check.json(auxiliary.of("objects.read"), 200, "application/json", text, asked);
    return found.splice(0).map(({ problem }) => problem);
  };
  expect(ask(contentHash('{"a":1e5,"b":1.0}'))).toEqual([]);
  expect(ask(contentHash('{"a":100000,"b":1}'))).toEqual([expect.stringContaining("SHA-256")]);
});

it("reports an event that its document does not allow, however the stream is split", async () => {
  const chunk = { id: "a", object: "chat.completion.chunk", created: 1, model: "m" };
  const events = [{ ...chunk, choices: [] }, { ...chunk, choices: [{ index: "0" }] }, { error: { message: "late" } }];
  const text = `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`;
  const parts = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const character of text) controller.enqueue(new TextEncoder().encode(character));
      controller.close();
    },
  });
  const passed = inference.check.stream(inference.of("chat.completions.create"), parts);
  expect(await new Response(passed).text()).toBe(text);
  expect(new Set(found.splice(0).map(({ problem }) => problem.split(":")[0]))).toEqual(
    new Set(["choices[0].delta", "choices[0].index", "choices[0].finish_reason"]),
  );
});
