import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeCheckpoint } from "../checkpoint/checkpoint.ts";
import { TinyModel } from "../model/tiny-model.ts";
import type { Job } from "./job.ts";
import { JobModels } from "./models.ts";

const folder = mkdtempSync(join(tmpdir(), "tiny-models-"));
const names = { entity: "harbor", project: "support-desk", name: "agent-1" };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A model whose first weight is its step. */
function modelOf(step: number): TinyModel {
  const model = new TinyModel();
  model.weights[0] = step;
  return model;
}

beforeAll(async () => {
  // Step 3 is gone.
  for (const step of [1, 2, 4]) {
    mkdirSync(join(folder, `step${step}`));
    await writeCheckpoint(join(folder, `step${step}`), modelOf(step), { model: names, step, base_model: "demo/tiny" });
  }
  mkdirSync(join(folder, "step5.partial"));
});

function modelsFrom(step: number): JobModels {
  const job: Job = {
    job: { kind: "rl" },
    model: { ...names, base_model: "demo/tiny" },
    checkpoint: { step, directory: step === 0 ? null : join(folder, `step${step}`) },
    output: { step: 5, directory: join(folder, "step5.partial") },
  };
  return new JobModels(job, async () => modelOf(0));
}

const stepOf = async (model: Promise<TinyModel>) => (await model).weights[0];

it("starts from the checkpoint of a step, or from the base model", async () => {
  expect(await stepOf(modelsFrom(4).start())).toBe(4);
  expect(await stepOf(modelsFrom(0).start())).toBe(0);
});

it.each<[from: number, reference: { step: number } | { lag: number }, expected: number]>([
  [4, { step: 4 }, 4],
  [4, { step: 2 }, 2],
  [4, { step: 0 }, 0],
  [4, { lag: 1 }, 2],
  [4, { lag: 2 }, 2],
  [4, { lag: 3 }, 1],
  [4, { lag: 4 }, 0],
  [4, { lag: 9 }, 0],
  [0, { step: 0 }, 0],
  [0, { lag: 1 }, 0],
])("from step %d, finds the reference %j, or the newest one before it: %d", async (from, reference, expected) => {
  expect(await stepOf(modelsFrom(from).reference(reference))).toBe(expected);
});

it("reports a step that was deleted, and one that does not exist yet", async () => {
  await expect(modelsFrom(4).reference({ step: 3 })).rejects.toThrow(
    /kl_penalty_reference_step is 3, and that step has no checkpoint here/,
  );
  await expect(modelsFrom(2).reference({ step: 4 })).rejects.toThrow(
    /is 4, and this job starts from step 2\. Name that step or an earlier one/,
  );
});
