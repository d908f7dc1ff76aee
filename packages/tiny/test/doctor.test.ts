/** The doctor, about runs of the tiny model: the illnesses by their names, and no alarm about healthy runs. */
import { doctor, History } from "@trainyard/training/doctor";
import { beforeAll, describe, expect, it } from "vitest";
import { loadBase } from "../src/base/base-model.ts";
import type { TinyModel } from "../src/model/tiny-model.ts";
import { healthyPlan, illnesses, runOf, type StepPlan } from "./runs.ts";

let base: TinyModel;
beforeAll(async () => {
  base = await loadBase();
});

/** The warnings at each step, those that come first first. */
async function warningsOf(seed: number, planOf: (step: number) => StepPlan, last: number): Promise<string[][]> {
  const history = new History();
  const warnings: string[][] = [];
  for await (const { step, groups, val, events } of runOf(base, seed, planOf)) {
    history.log(step, groups);
    if (val.length > 0) history.log(step, val, "val");
    const { findings } = doctor(history);
    warnings.push(findings.filter(({ severity }) => severity !== "note").map(({ rule }) => rule));
    if (step === last) break;
    history.job(step + 1, events);
  }
  return warnings;
}

describe.each(illnesses)("$rule", ({ rule, from, healthy, plant }) => {
  const find = async (seed: number): Promise<void> => {
    const warnings = await warningsOf(seed, (step) => (step < from ? healthy : plant(healthy)), from + 2);
    expect(warnings.slice(0, from).flat()).toEqual([]);
    expect(warnings.slice(from + 1).flatMap((found) => found.slice(0, 3))).toContain(rule);
  };
  // `pnpm test` has a quick one.
  it.skipIf(rule === "no-movement")("is found within two steps", { tags: ["long"] }, () => find(501));
  it.runIf(rule === "no-movement")("is found within two steps", () => find(501));
  it.each([502, 503])("is found within two steps, with the seed %i", { tags: ["long"] }, find);
});

it("says what never gets a reward, and what to do about it", async () => {
  const { from, healthy, plant } = illnesses.find(({ rule }) => rule === "never-a-reward")!;
  const history = new History();
  for await (const { step, groups } of runOf(base, 1, (step) =>
    step < 1 ? healthy : plant({ ...healthy, attempts: 16 }),
  )) {
    history.log(step, groups);
    if (step === Math.min(from, 2)) break;
  }
  const text = doctor(history).findings.find(({ rule }) => rule === "never-a-reward")?.text;
  expect(text).toMatch(/^None of the last \d+ attempts at 6 tasks .* Fine-tune the model on a few right answers first/);
});

const runs = Number(process.env["HEALTHY_RUNS"] ?? 50);

it.each(
  Array.from({ length: runs }, (_, at) => ({ at, ...healthyPlan(at + Number(process.env["HEALTHY_FIRST"] ?? 0)) })),
)("has no alarm about a healthy run: $at, $name", { tags: ["long"] }, async ({ at, planOf }) => {
  const warnings = await warningsOf(at + 1, planOf, 20);
  expect(warnings.flat()).toEqual([]);
});
