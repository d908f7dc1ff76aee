import { createTrainingClient } from "@trainyard/training";
import { recordedTrainingClient, replay } from "@trainyard/testing";
import { afterAll, expect, it } from "vitest";
import { quickTrainer } from "./programs/quick-trainer.ts";
import { makeServer } from "./lib.ts";
import { ended } from "./trainers.ts";

// The recorded requests of a third-party client in a complete loop: register, roll out, log, train, poll, chat by step,
// delete. The requests depend on each other, so the tests of this file run in the fixture's order.
const server = makeServer({
  keys: [{ key: "harbor-key", entity: "harbor" }],
  trainer: { command: quickTrainer() },
});
afterAll(() => server.end());
const target = server.connect("training");
const client = createTrainingClient(target);
const ids = new Map<string, string>();

it.each(recordedTrainingClient())("returns for line $line the status $status: $name", async (call) => {
  const { status, text } = await replay(call, target, ids);
  expect({ status, text }).toMatchObject({ status: call.status });
  const job = call.path.endsWith("training-jobs") && status === 200 ? JSON.parse(text).id : undefined;
  // The client polls until its job has ended. One of these requests was recorded.
  if (job !== undefined) await ended(client, job);
});

it("names what exists when a recorded request uses an unknown name", async () => {
  const texts = new Map<string, string>();
  for (const call of recordedTrainingClient()) {
    if (call.part === "edge" && call.status >= 400) texts.set(call.name, (await replay(call, target, ids)).text);
  }
  expect(texts.get("a base model that is not there")).toContain("There are: demo/tiny.");
  expect(texts.get("training data at a host that is not allowed")).toContain("example.com");
  expect(texts.get("an entity of somebody else")).toContain("harbor");
  expect(texts.get("a message with `tool_calls: null`")).toContain(
    "It is null: if the field is optional, leave it out.",
  );
});
