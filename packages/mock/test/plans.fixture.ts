import { createTrainingClient } from "@trainyard/training";
import { expect, it } from "vitest";
import { useMock } from "../src/vitest.ts";

// Run by use-mock.test.ts, which expects the failures.
const mock = useMock("training", { failOnPending: true });
const training = createTrainingClient(mock.connect());

it("uses its plan", async () => {
  mock.once("health.check", { body: { status: "ok" } });
  expect(await training.health.check()).toEqual({ status: "ok" });
});

it("forgets one plan", () => {
  mock.once("health.check", { status: 503 });
});

it("forgets two plans", () => {
  mock.once("health.check", { status: 503 });
  mock.once("models.delete", { status: 404 });
});

it("keeps the failure of a function to itself", async () => {
  mock.on("models.delete", ({ params }) => expect(params).toEqual({ model_id: "another" }));
  const error: unknown = await training.models.delete("8d1f0c52-0b7e-4a35-b0a4-6c1e9d2f7a11").catch((caught) => caught);
  expect(error).toMatchObject({ status: 500, attempts: 1, message: expect.stringContaining('on("models.delete")') });
});

it("keeps a wrong answer of a function to itself", async () => {
  // @ts-expect-error a status is text
  mock.on("health.check", () => ({ body: { status: 5 } }));
  await expect(training.health.check()).rejects.toThrow("body.status");
});

it("begins anew", async () => {
  expect(await training.health.check()).toEqual({ status: "ok" });
});
