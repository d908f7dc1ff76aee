import { useMock } from "@trainyard/mock/vitest";
import { createTrainingClient, RateLimitError } from "@trainyard/training";
import { expect, it } from "vitest";

// In this process, without a port, and reset after each test.
const mock = useMock("training");
const training = createTrainingClient({ ...mock.connect(), maxRetries: 0 });
const body = { project: "support-desk", name: "agent-1", base_model: "demo/tiny" };

it("creates the model once", async () => {
  const model = await training.models.create(body, { idempotencyKey: "once" });
  expect(model.name).toBe("agent-1");

  const [request] = mock.requests("models.create");
  expect(request?.body).toEqual(body);
  expect(request?.headers.get("idempotency-key")).toBe("once");
});

it("reports that there are too many requests", async () => {
  mock.once("models.create", { status: 429, retryAfter: 1 });
  await expect(training.models.create(body)).rejects.toBeInstanceOf(RateLimitError);
});

it("retries what may be retried", { tags: ["long"] }, async () => {
  const patient = createTrainingClient({ ...mock.connect() });
  mock.once("health.check", { disconnect: true });
  expect(await patient.health.check()).toEqual({ status: "ok" });
  expect(mock.requests("health.check")).toHaveLength(2);
});
