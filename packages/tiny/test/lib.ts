import { parseCorpus } from "../src/base/corpus.ts";
import { trainBase } from "../src/base/train-base.ts";
import { Context, maxRows } from "../src/model/context.ts";
import { renderPrompt } from "../src/model/conversation.ts";
import { TinyModel } from "../src/model/tiny-model.ts";
import { end, vocabularySize } from "../src/model/vocabulary.ts";
import { createRandom } from "../src/sampling/random.ts";

/** A model whose weights are numbers around 0, the same for the same seed: no two tokens are as probable. */
export function roughModel(seed = 1, size = 1): TinyModel {
  const random = createRandom(seed);
  const model = new TinyModel();
  for (let index = 0; index < model.weights.length; index++) model.weights[index] = (random() - 0.5) * size;
  return model;
}

/** A model that says a few words, and nothing else that is likely. */
export function smallModel(): TinyModel {
  return trainBase(
    parseCorpus("> Is it?\n> Will it?\n< 4 yes\n< 3 no\n< 3 maybe\n\n> Where?\n< Grüße, 駅 und 🚂!\n", "small"),
  );
}

/** Whether two models are the same, to the bit. */
export function sameWeights(a: TinyModel, b: TinyModel): boolean {
  const [one, other] = [a, b].map(({ weights }) => Buffer.from(weights.buffer, weights.byteOffset, weights.byteLength));
  return one !== undefined && other !== undefined && one.equals(other);
}

/** A conversation of one message. */
export function ask(content: string): { role: "user"; content: string }[] {
  return [{ role: "user", content }];
}

/** The probability that a model answers a question with a text and nothing else. */
export function probabilityOf(model: TinyModel, question: string, answer: string): number {
  const context = new Context();
  for (const token of renderPrompt(ask(question))) context.push(token);
  const rows = new Int32Array(maxRows);
  const logprobs = new Float64Array(vocabularySize);
  let sum = 0;
  for (const token of [...new TextEncoder().encode(answer), end]) {
    context.rows(rows);
    model.logprobs(rows, logprobs);
    sum += logprobs[token] ?? -Infinity;
    context.push(token);
  }
  return Math.exp(sum);
}
