import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { probabilityOf, sameWeights, smallModel } from "../../test/lib.ts";
import type { TinyModel } from "../model/tiny-model.ts";
import { loadBase } from "./base-model.ts";
import { parseCorpus } from "./corpus.ts";

let folder = "";
let base: TinyModel;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tiny-"));
  base = await loadBase(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("trains the same weights from the same corpus", () => {
  expect(sameWeights(smallModel(), smallModel())).toBe(true);
});

it("stores the weights for the next start", async () => {
  const [kept, ...others] = await readdir(folder);
  expect(kept).toMatch(/^base-[0-9a-f]{16}$/);
  expect(others).toEqual([]);
  expect(sameWeights(await loadBase(folder), base)).toBe(true);
});

it("trains them again if they are damaged", { tags: ["long"] }, async () => {
  const [kept = ""] = await readdir(folder);
  await rm(join(folder, kept, "weights.f32"));
  expect(sameWeights(await loadBase(folder), base)).toBe(true);
  expect(await readdir(join(folder, kept))).toContain("weights.f32");
});

// The programs that train it start from here, with 0.5, 0.75 and 1 for yes, no and maybe.
it("answers yes, no or maybe, each of them often, also to unknown questions", () => {
  const chances = (question: string) => ["yes", "no", "maybe"].map((answer) => probabilityOf(base, question, answer));
  const rewardOf = ([yes = 0, no = 0, maybe = 0]: readonly number[]) => 0.5 * yes + 0.75 * no + maybe;
  for (const question of ["Is the train on time?", "Respond with yes, no or maybe.", "Will it snow tomorrow?"]) {
    expect(Math.min(...chances(question))).toBeGreaterThan(0.15);
    expect(rewardOf(chances(question))).toBeGreaterThan(0.6);
  }
  const begins = ["Is", "Did", "Would", "Can", "Are", "Should"];
  const questions = begins.flatMap((begin) =>
    ["the parcel", "a cable", "my refund", "lunch"].flatMap((what) =>
      ["arrive?", "made of cheese?", "work today?"].map((end) => `${begin} ${what} ${end}`),
    ),
  );
  const all = questions.map(chances);
  const mean = all.reduce((sum, one) => sum + rewardOf(one), 0) / all.length;
  expect(mean).toBeGreaterThan(0.65);
  expect(mean).toBeLessThan(0.73);
  // A question may share rows with another by chance.
  expect(all.filter((one) => Math.min(...one) < 0.1).length).toBeLessThan(all.length / 10);
});

it("guesses each number from 1 to 7", () => {
  for (const question of [
    "Guess a number from 1 to 7.",
    "I think of a number from 1 to 7. Guess!",
    "higher",
    "It is lower.",
  ]) {
    for (let number = 1; number <= 7; number++) {
      expect(probabilityOf(base, question, String(number))).toBeGreaterThan(0.1);
    }
  }
});

it("reads questions and answers, and reports a line that is neither", () => {
  expect(parseCorpus("# all\n> a\n> b\n< 4 yes\n< no\n\n> c\n< 7", "x")).toEqual([
    {
      questions: ["a", "b"],
      answers: [
        { text: "yes", weight: 4 },
        { text: "no", weight: 1 },
      ],
    },
    { questions: ["c"], answers: [{ text: "7", weight: 1 }] },
  ]);
  expect(() => parseCorpus("> a\nyes", "x.txt")).toThrow("x.txt:2 must begin");
  expect(() => parseCorpus("< a", "x.txt")).toThrow("x.txt:1");
});
