import fc from "fast-check";
import { expect, it } from "vitest";
import { ask, probabilityOf, roughModel, smallModel } from "../../test/lib.ts";
import { Context, maxRows } from "../model/context.ts";
import { renderPrompt } from "../model/conversation.ts";
import type { TinyModel } from "../model/tiny-model.ts";
import { end, vocabularySize } from "../model/vocabulary.ts";
import { Chooser } from "./choose.ts";
import { createRandom } from "./random.ts";
import { sample, type SampledToken, type SampleEnd } from "./sample.ts";
import { plainSettings, type SampleSettings } from "./settings.ts";

const prompt = renderPrompt(ask("Is it?"));
const small = smallModel();
const rough = roughModel();

function run(model: TinyModel, settings: Partial<SampleSettings>, index = 0): { tokens: SampledToken[] } & SampleEnd {
  const tokens: SampledToken[] = [];
  const steps = sample(model, prompt, { ...plainSettings, ...settings }, index);
  for (let next = steps.next(); ; next = steps.next()) {
    if (next.done === true) return { tokens, ...next.value };
    tokens.push(next.value);
  }
}

function textOf({ tokens }: { tokens: readonly SampledToken[] }): string {
  return new TextDecoder().decode(Uint8Array.from(tokens.map(({ token }) => token).filter((token) => token !== end)));
}

/** Sum over classes of (seen − expected)² / expected. */
function chiSquare(seen: readonly number[], probabilities: readonly number[]): number {
  const whole = seen.reduce((sum, count) => sum + count, 0);
  return seen.reduce(
    (sum, count, index) =>
      sum + (count - whole * (probabilities[index] ?? 0)) ** 2 / (whole * (probabilities[index] ?? 0)),
    0,
  );
}

it("samples answers with their probability", () => {
  const answers = ["yes", "no", "maybe"];
  const probabilities = answers.map((answer) => probabilityOf(small, "Is it?", answer));
  const seen = [0, 0, 0, 0];
  for (let seed = 0; seed < 1000; seed++) {
    const found = answers.indexOf(textOf(run(small, { seed })));
    seen[found === -1 ? 3 : found]! += 1;
  }
  // Three degrees of freedom: 27.9 is passed by chance once in 260,000 times, and the seeds are fixed.
  expect(chiSquare(seen, [...probabilities, 1 - probabilities.reduce((sum, one) => sum + one, 0)])).toBeLessThan(27.9);
});

it("chooses a token by its probability at any temperature", { tags: ["long"] }, () => {
  const logprobs = firstLogprobs(rough);
  for (const temperature of [0.5, 1, 2]) {
    const weights = [...logprobs].map((logprob) => Math.exp(logprob / temperature));
    const sum = weights.reduce((sum, weight) => sum + weight, 0);
    const probabilities = weights.map((weight) => weight / sum);
    // 256 degrees of freedom: mean 256, standard deviation 22.6; five of those above.
    expect(chiSquare(drawn({ temperature }, 6000), probabilities)).toBeLessThan(370);
  }
});

it("returns each token's log probability at temperature 1, whatever the settings", () => {
  for (const settings of [{}, { temperature: 0.3 }, { topP: 0.4 }, { frequencyPenalty: 2, bias: new Map([[65, 9]]) }]) {
    const { tokens } = run(rough, { seed: 5, maxTokens: 30, top: 20, ...settings });
    const context = new Context();
    for (const token of prompt) context.push(token);
    const rows = new Int32Array(maxRows);
    const logprobs = new Float64Array(vocabularySize);
    for (const { token, logprob, top } of tokens) {
      context.rows(rows);
      rough.logprobs(rows, logprobs);
      expect(logprob).toBe(logprobs[token]);
      const best = [...logprobs.keys()].sort((a, b) => (logprobs[b] ?? 0) - (logprobs[a] ?? 0)).slice(0, 20);
      expect(top.map((one) => one.token)).toEqual(best);
      expect(top.map((one) => one.logprob)).toEqual(best.map((one) => logprobs[one]));
      context.push(token);
    }
  }
});

it("returns the same for the same seed, and something else for another seed or choice", () => {
  const settings = { maxTokens: 40 };
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.nat(127), (seed, index) => {
      const text = textOf(run(rough, { ...settings, seed }, index));
      expect(textOf(run(rough, { ...settings, seed }, index))).toBe(text);
      expect(textOf(run(rough, { ...settings, seed: seed - Math.sign(seed || -1) }, index))).not.toBe(text);
      expect(textOf(run(rough, { ...settings, seed }, index + 1))).not.toBe(text);
    }),
    { numRuns: 20 },
  );
  expect(textOf(run(rough, settings))).not.toBe(textOf(run(rough, settings)));
});

it("chooses the most probable token at temperature 0", () => {
  const { tokens } = run(rough, { temperature: 0, maxTokens: 20, top: 1 });
  for (const { token, top } of tokens) expect(token).toBe(top[0]?.token);
});

it("chooses, with top_p, only among the fewest most probable tokens that reach it", () => {
  const logprobs = firstLogprobs(rough);
  const order = [...logprobs.keys()].sort((a, b) => (logprobs[b] ?? 0) - (logprobs[a] ?? 0));
  for (const topP of [0, 0.01, 0.2, 0.7]) {
    let mass = 0;
    const nucleus = new Set<number>();
    for (const token of order) {
      if (nucleus.size > 0 && mass >= topP) break;
      nucleus.add(token);
      mass += Math.exp(logprobs[token] ?? 0);
    }
    const seen = drawn({ topP }, 800).flatMap((count, token) => (count > 0 ? [token] : []));
    expect(seen.filter((token) => !nucleus.has(token))).toEqual([]);
    if (nucleus.size < 100) expect(seen.length).toBe(nucleus.size);
  }
});

it("never chooses what a bias forbids, always what it requires, and repeats less with penalties", () => {
  const never = new Map(["y", "n", "m"].map((letter) => [letter.charCodeAt(0), -100]));
  const always = new Map([["n".charCodeAt(0), 100]]);
  for (let seed = 0; seed < 20; seed++) {
    expect(textOf(run(small, { seed, bias: never }))).not.toMatch(/[ynm]/);
    expect(textOf(run(small, { seed, bias: always, maxTokens: 5 }))).toBe("nnnnn");
  }
  const bias = new Map([["a".charCodeAt(0), 7]]);
  const repeats = (settings: Partial<SampleSettings>) =>
    textOf(run(rough, { seed: 1, bias, maxTokens: 200, ...settings })).split("a").length;
  expect(repeats({ frequencyPenalty: 1 })).toBeLessThan(repeats({}) / 2);
  expect(repeats({ presencePenalty: 2 })).toBeLessThan(repeats({}));
});

it("finishes with `stop` at the end token or before a stop sequence, and with `length` at the limit", () => {
  const byItself = run(small, { seed: 2 });
  expect(byItself).toMatchObject({ reason: "stop", count: byItself.tokens.length });
  expect(byItself.tokens.at(-1)?.token).toBe(end);
  const limited = run(rough, { seed: 2, maxTokens: 7 });
  expect(limited).toMatchObject({ reason: "length", count: 7 });
  expect(limited.tokens.length).toBe(7);

  const bias = new Map(["a", "b", "c"].map((letter, index) => [letter.charCodeAt(0), 12 + index]));
  const whole = textOf(run(rough, { seed: 3, bias, maxTokens: 60 }));
  const stop = whole.slice(20, 23);
  const stopped = run(rough, { seed: 3, bias, maxTokens: 60, stops: ["never", stop] });
  expect(textOf(stopped)).toBe(whole.slice(0, whole.indexOf(stop)));
  expect(stopped).toMatchObject({ reason: "stop", count: whole.indexOf(stop) + 3 });
});

it("draws uniform numbers, different ones for each seed and stream", () => {
  for (const [seed, stream] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [2 ** 40, 3],
  ] as const) {
    const random = createRandom(seed, stream);
    const seen = Array.from({ length: 16 }, () => 0);
    for (let draw = 0; draw < 16_000; draw++) seen[Math.floor(random() * 16)]! += 1;
    expect(chiSquare(seen, Array<number>(16).fill(1 / 16))).toBeLessThan(45);
  }
  const firsts = [
    [0, 0],
    [1, 0],
    [0, 1],
    [-1, 0],
    [2 ** 32, 0],
    [2 ** 40, 0],
  ].map(([seed, stream]) => createRandom(seed ?? 0, stream)());
  expect(new Set(firsts).size).toBe(firsts.length);
});

function firstLogprobs(model: TinyModel): Float64Array {
  const context = new Context();
  for (const token of prompt) context.push(token);
  const rows = new Int32Array(maxRows);
  const logprobs = new Float64Array(vocabularySize);
  context.rows(rows);
  model.logprobs(rows, logprobs);
  return logprobs;
}

/** How often each token is chosen where a first one is. */
function drawn(settings: Partial<SampleSettings>, count: number): number[] {
  const logprobs = firstLogprobs(rough);
  const chooser = new Chooser({ ...plainSettings, ...settings }, createRandom(1));
  const seen = Array.from({ length: vocabularySize }, () => 0);
  for (let draw = 0; draw < count; draw++) seen[chooser.choose(logprobs, logprobs.map(Math.exp))]! += 1;
  return seen;
}
