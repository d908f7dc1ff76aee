import { createAuxiliaryClient } from "@trainyard/auxiliary";
import { createInferenceClient } from "@trainyard/inference";
import { createTrainingClient, UnprocessableError } from "@trainyard/training";
import { expect, it } from "vitest";
import { startMock } from "../src/index.ts";
import { useMock } from "../src/vitest.ts";

const mock = useMock("training");
const training = createTrainingClient(mock.connect());
const model = { project: "demo", name: "agent-1", base_model: "demo/tiny" };

it("serves a client in process", async () => {
  expect(await training.models.create(model)).toMatchObject({ name: "agent-1" });
  expect(mock.requests("models.create")).toMatchObject([{ operation: "models.create", body: model }]);
});

it("lets a client meet errors", async () => {
  mock.once("models.create", { status: 429, retryAfter: 0 });
  mock.once("models.create", { status: 422 });
  await expect(training.models.create(model)).rejects.toBeInstanceOf(UnprocessableError);
  expect(mock.requests("models.create")).toHaveLength(2);
});

it("serves clients at a port", async () => {
  await using served = await startMock();
  const inference = createInferenceClient(served.connect("inference"));
  const chat = { model: "demo/tiny", messages: [{ role: "user" as const, content: "Hello" }] };
  const stream = await inference.chat.completions.create({ ...chat, stream: true });
  let chunks = 0;
  for await (const _ of stream) chunks++;
  expect(chunks).toBeGreaterThan(2);
  const auxiliary = createAuxiliaryClient(served.connect("auxiliary"));
  expect((await auxiliary.hardware.list({ model: "tiny" })).hardware.length).toBeGreaterThan(0);
});
