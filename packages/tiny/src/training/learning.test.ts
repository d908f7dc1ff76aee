/** @module-tag long */
import { beforeAll, expect, it } from "vitest";
import { ask } from "../../test/lib.ts";
import { answer } from "../../test/rollout.ts";
import { loadBase } from "../base/base-model.ts";
import type { TinyModel } from "../model/tiny-model.ts";
import { mean } from "./advantage.ts";
import { readRlData } from "./rl-data.ts";
import { readRlSettings } from "./rl-settings.ts";
import { trainRl } from "./rl.ts";

interface Rollout {
  readonly messages_and_choices: readonly object[];
  readonly reward: number;
}

let base: TinyModel;
beforeAll(async () => {
  base = await loadBase();
});

/** A job, as the program does it. */
async function learn(model: TinyModel, groups: readonly (readonly Rollout[])[], config: object): Promise<void> {
  const settings = readRlSettings(config);
  const data = readRlData(
    groups.map((trajectories) => ({ trajectories })),
    settings,
  );
  for await (const _ of trainRl(data, { model, reference: base, settings, signal: new AbortController().signal }));
}

/** Three guesses at a number from 1 to 7. */
function play(model: TinyModel, secret: number, seed: number): Rollout {
  const items: object[] = [...ask("I am thinking of a number from 1 to 7. Guess it.")];
  for (let guess = 0; guess < 3; guess++) {
    const choice = answer(model, items, seed + guess);
    items.push(choice);
    const number = /^[1-7]$/.test(choice.message.content) ? Number(choice.message.content) : 0;
    if (number === secret) return { messages_and_choices: items, reward: 1 };
    items.push(...ask(number === 0 ? "A number from 1 to 7." : number > secret ? "lower" : "higher"));
  }
  return { messages_and_choices: items, reward: 0 };
}

// `pnpm test learning` checks over HTTP, with five seeds, that training reaches its goal.
it("learns to find a number over several turns, and improves within ten jobs", async () => {
  const model = base.clone();
  let next = 7_000_000;
  // Each group has all numbers as often: what is best on the whole is compared, not what is best for one of them.
  const rollOut = () =>
    Array.from({ length: 4 }, () => Array.from({ length: 56 }, (_, game) => play(model, 1 + (game % 7), (next += 3))));
  const foundOf = (groups: Rollout[][]) => mean(groups.flat().map(({ reward }) => reward));
  let groups = rollOut();
  const before = foundOf(groups);
  expect(before).toBeLessThan(0.5);
  for (let job = 0; job < 10 && foundOf(groups) <= before + 0.15; job++) {
    // Kept near to the base model at first, it goes on trying other first guesses than the one that seems best so far.
    await learn(model, groups, { kl_penalty_coef: 0.3 * (1 - job / 30) });
    groups = rollOut();
  }
  expect(foundOf(groups)).toBeGreaterThan(before + 0.15);
});
