import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { roughModel, sameWeights } from "../../test/lib.ts";
import { loadBase } from "../base/base-model.ts";
import { writeCheckpoint } from "../checkpoint/checkpoint.ts";
import { ServedModels } from "./served-models.ts";

let folder = "";
const nameOf = (step: number) => `artifact:///harbor/support-desk/agent-1:step${step}`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tiny-"));
  for (let step = 1; step <= 5; step++) {
    const directory = join(folder, "6f1d0c9e", `step${step}`);
    await mkdir(directory, { recursive: true });
    const model = { entity: "harbor", project: "support-desk", name: "agent-1" };
    await writeCheckpoint(directory, roughModel(step), { model, step, base_model: "demo/tiny" });
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("reads a model once, keeps the four that were used last, and reads others again", { tags: ["long"] }, async () => {
  const models = new ServedModels(folder, loadBase);
  const [first, again] = await Promise.all([models.find(nameOf(1)), models.find(nameOf(1))]);
  expect(again).toBe(first);
  for (const step of [2, 3, 4]) await models.find(nameOf(step));
  expect(await models.find(nameOf(1))).toBe(first);
  const second = await models.find(nameOf(2));
  await models.find(nameOf(5));
  // Step 3 is the one that was not used for the longest time.
  expect(await models.find(nameOf(1))).toBe(first);
  expect(await models.find(nameOf(2))).toBe(second);
  for (const step of [3, 4, 5]) await models.find(nameOf(step));
  const later = await models.find(nameOf(1));
  expect(later).not.toBe(first);
  expect(later && first && sameWeights(later, first)).toBe(true);
});

it("does not find an incomplete folder, another step, or another model", async () => {
  const models = new ServedModels(folder, loadBase);
  const partial = join(folder, "6f1d0c9e", "step6.partial");
  await mkdir(partial);
  await writeCheckpoint(partial, roughModel(), {
    model: { entity: "harbor", project: "support-desk", name: "agent-1" },
    step: 6,
    base_model: "demo/tiny",
  });
  for (const name of [
    nameOf(6),
    nameOf(7),
    nameOf(1).replace("agent-1", "agent-2"),
    nameOf(1).replace("harbor", "mill"),
  ]) {
    expect(await models.find(name)).toBeUndefined();
  }
});

it("uses the base model as step 0 of every model, and without a folder for nothing else", async () => {
  const models = new ServedModels(undefined, loadBase);
  const base = await models.find("demo/tiny");
  expect(base).toBeDefined();
  expect(await models.find(nameOf(0))).toBe(base);
  expect(await models.find(nameOf(1))).toBeUndefined();
  expect(await models.find("demo/other")).toBeUndefined();
});
