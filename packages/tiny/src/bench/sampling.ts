import { loadBase } from "../base/base-model.ts";
import { Context, maxRows } from "../model/context.ts";
import { renderPrompt } from "../model/conversation.ts";
import type { TinyModel } from "../model/tiny-model.ts";
import { end, vocabularySize } from "../model/vocabulary.ts";
import { createRandom } from "../sampling/random.ts";
import { sample } from "../sampling/sample.ts";
import { plainSettings } from "../sampling/settings.ts";
import { quantile, type Result } from "./result.ts";

const rounds = 9;
const answers = 1000;
const least = 0.5;

/**
 * Sampled tokens a second, against a simple loop over the same arrays: it adds up as many rows for as many tokens,
 * turns them into probabilities and walks along these, without features, settings or a generator. Rounds of both
 * alternate.
 */
export async function measureSampling(): Promise<Result[]> {
  const model = await loadBase();
  const prompts = ["Is the train late?", "Guess a number from 1 to 7.", "Tell me a story."].map((content) =>
    renderPrompt([{ role: "user", content }]),
  );
  const places = prompts.flatMap((prompt) => placesOf(model, prompt));
  const ours: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(rate(() => sampleAll(model, prompts)));
    plain.push(rate(() => addUp(model.weights, places)));
  }
  const ratio = quantile(ours) / quantile(plain);
  return [
    { what: "tokens sampled a second", measured: Math.round(quantile(ours)).toLocaleString("en") },
    { what: "the same by a plain loop", measured: Math.round(quantile(plain)).toLocaleString("en") },
    { what: "ratio of the two", measured: ratio.toFixed(2), bar: `at least ${least}`, met: ratio >= least },
  ];
}

/** Tokens a second of processor time, which other work on the machine does not affect. */
function rate(work: () => number): number {
  const start = process.cpuUsage();
  const tokens = work();
  const { user, system } = process.cpuUsage(start);
  return (1e6 * tokens) / (user + system);
}

function sampleAll(model: TinyModel, prompts: readonly Uint16Array[]): number {
  let tokens = 0;
  for (let seed = 0; seed < answers; seed++) {
    const prompt = prompts[seed % prompts.length];
    if (prompt === undefined) continue;
    for (const _ of sample(model, prompt, { ...plainSettings, seed })) tokens++;
  }
  return tokens;
}

/** The rows of the positions of an answer that the model gives. */
function placesOf(model: TinyModel, prompt: Uint16Array): Int32Array[] {
  const context = new Context();
  for (const token of prompt) context.push(token);
  const places: Int32Array[] = [];
  for (const { token } of sample(model, prompt, { ...plainSettings, seed: 1 })) {
    const rows = new Int32Array(maxRows);
    places.push(rows.slice(0, context.rows(rows)));
    if (token !== end) context.push(token);
  }
  return places;
}

function addUp(weights: Float32Array, places: readonly Int32Array[]): number {
  const random = createRandom(1);
  const sums = new Float64Array(vocabularySize);
  let tokens = 0;
  let last = 0;
  for (let round = 0; round < answers; round++) {
    for (const rows of places) {
      sums.fill(0);
      for (const row of rows) {
        for (let token = 0; token < vocabularySize; token++) sums[token]! += weights[row * vocabularySize + token]!;
      }
      let whole = 0;
      for (let token = 0; token < vocabularySize; token++) whole += sums[token] = Math.exp(sums[token]!);
      let rest = random() * whole;
      let token = 0;
      while (token < vocabularySize && (rest -= sums[token]!) > 0) token++;
      last = token;
      tokens++;
    }
  }
  // The compiler may leave out a result that is never used.
  return last < 0 ? 0 : tokens;
}
