import { recordedTrainingClient, replay } from "@trainyard/testing";
import { expect, it } from "vitest";
import { mockService } from "../src/index.ts";

// The mock has no state: it returns success where only a stateful service rejects.
const target = mockService("training").connect();
const ids = new Map<string, string>();

it.each(recordedTrainingClient())("answers line $line of a training client: $name", async (call) => {
  const { status, text } = await replay(call, target, ids);
  expect({ status, text }).toMatchObject({ status: call.knows === "state" ? 200 : call.status });
});
