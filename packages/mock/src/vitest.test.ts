import { expect, expectTypeOf, it } from "vitest";
import { caller } from "../test/call.ts";
import setup from "./vitest-setup.ts";
import { connectionTo, useMock } from "./vitest.ts";

const training = useMock("training");

it("starts one mock for all projects of a run, and ends it with the last", async () => {
  const provided: Record<string, string>[] = [];
  const project = {
    provide: (_: "trainyardMock", addresses: Readonly<Record<string, string>>) => provided.push(addresses),
  };
  const [first, second] = await Promise.all([setup(project), setup(project)]);
  expect(provided[0]).toEqual(provided[1]);
  const call = caller(connectionTo(provided[0], "training"));
  await first();
  expect((await call("GET /v1/health")).status).toBe(200);
  await second();
  await expect(call("GET /v1/health")).rejects.toThrow("fetch failed");
});

it("reports a missing globalSetup", () => {
  expect(() => connectionTo(undefined, "training")).toThrow('Add "@trainyard/mock/vitest/setup" to globalSetup');
});

it("accepts only names of operations", () => {
  training.once("models.create", { status: 500 });
  // @ts-expect-error Property "burn" does not exist
  expect(() => training.once("models.burn", { status: 500 })).toThrow("There is no operation");
  expectTypeOf(training.requests("models.log")[0]?.operation).toEqualTypeOf<"models.log" | undefined>();
  expectTypeOf(training.requests()[0]?.operation).extract<"health.check">().toEqualTypeOf<"health.check">();
});

it("was reset in between", async () => {
  expect((await caller(training.connect())("POST /v1/preview/models")).status).toBe(422);
});
