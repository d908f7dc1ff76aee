import { loadBase } from "../base/base-model.ts";
import { maxRows, rowCount } from "../model/context.ts";
import { renderPrompt } from "../model/conversation.ts";
import type { TinyModel } from "../model/tiny-model.ts";
import { end, vocabularySize } from "../model/vocabulary.ts";
import { logprobEntry } from "../sampling/logprob-entry.ts";
import { sample } from "../sampling/sample.ts";
import { plainSettings } from "../sampling/settings.ts";
import type { Positions } from "../training/learner.ts";
import { readRlData } from "../training/rl-data.ts";
import { readRlSettings } from "../training/rl-settings.ts";
import { passes, trainRl } from "../training/rl.ts";
import { quantile, type Result } from "./result.ts";

const rounds = 9;
const least = 0.5;

/**
 * Trained tokens a second, against a simple loop over the same arrays: it adds up as many rows for as many tokens,
 * turns them into probabilities and updates them, without trajectories, ratios, losses or measurements. Rounds of both
 * alternate.
 */
export async function measureTraining(): Promise<Result[]> {
  const model = await loadBase();
  const groups = rollOut(model);
  const settings = readRlSettings({});
  const { positions } = readRlData(groups, settings);
  const count = positions.tokens.length * passes;
  const ours: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const learning = model.clone();
    ours.push(
      await rate(count, async () => {
        const data = readRlData(groups, settings);
        for await (const _ of trainRl(data, { model: learning, settings, signal: new AbortController().signal }));
      }),
    );
    const plainly = model.clone();
    plain.push(
      await rate(count, () => {
        for (let pass = 0; pass < passes; pass++) descend(plainly.weights, positions);
      }),
    );
  }
  const ratio = quantile(ours) / quantile(plain);
  return [
    { what: "tokens trained a second", measured: Math.round(quantile(ours)).toLocaleString("en") },
    { what: "the same by a plain loop", measured: Math.round(quantile(plain)).toLocaleString("en") },
    { what: "ratio of the two", measured: ratio.toFixed(2), bar: `at least ${least}`, met: ratio >= least },
  ];
}

async function rate(tokens: number, work: () => Promise<void> | void): Promise<number> {
  const start = performance.now();
  await work();
  return (1000 * tokens) / (performance.now() - start);
}

/** Groups of answers with rewards, as a program sends them. */
function rollOut(model: TinyModel): object[] {
  return ["Is the train late?", "Guess a number from 1 to 7.", "Tell me a story.", "Where is the ticket office?"].map(
    (content, group) => ({
      trajectories: Array.from({ length: 48 }, (_, index) => {
        const messages = [{ role: "user", content }];
        const sampled = [...sample(model, renderPrompt(messages), { ...plainSettings, seed: 100 * group + index })];
        const bytes = sampled.map(({ token }) => token).filter((token) => token !== end);
        const choice = {
          index: 0,
          finish_reason: "stop",
          message: { role: "assistant", content: new TextDecoder().decode(Uint8Array.from(bytes)) },
          logprobs: { content: sampled.map(logprobEntry) },
        };
        return { messages_and_choices: [...messages, choice], reward: index % 3 };
      }),
    }),
  );
}

function descend(weights: Float32Array, { tokens, rows }: Positions): void {
  const gradient = new Float32Array(rowCount * vocabularySize);
  const probabilities = new Float64Array(vocabularySize);
  const touched = new Set<number>();
  for (let position = 0; position < tokens.length; position++) {
    probabilities.fill(0);
    let last = position * maxRows;
    for (; last < (position + 1) * maxRows && rows[last]! >= 0; last++) {
      const at = rows[last]! * vocabularySize;
      for (let token = 0; token < vocabularySize; token++) probabilities[token]! += weights[at + token]!;
    }
    let sum = 0;
    for (let token = 0; token < vocabularySize; token++) {
      sum += probabilities[token] = Math.exp(probabilities[token]!);
    }
    for (let token = 0; token < vocabularySize; token++) probabilities[token]! /= sum;
    probabilities[tokens[position]!]! -= 1;
    for (let index = position * maxRows; index < last; index++) {
      touched.add(rows[index]!);
      const at = rows[index]! * vocabularySize;
      for (let token = 0; token < vocabularySize; token++) gradient[at + token]! += probabilities[token]!;
    }
  }
  const step = 20 / tokens.length;
  for (const row of touched) {
    for (let at = row * vocabularySize; at < (row + 1) * vocabularySize; at++) weights[at]! -= step * gradient[at]!;
  }
}
