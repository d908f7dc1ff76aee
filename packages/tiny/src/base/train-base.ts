import { Context, maxRows } from "../model/context.ts";
import { renderPrompt } from "../model/conversation.ts";
import { TinyModel } from "../model/tiny-model.ts";
import { end, vocabularySize } from "../model/vocabulary.ts";
import type { Exchange } from "./corpus.ts";

// A local constant: in tests, an imported one is read through a getter, which is slow in these loops.
const size = vocabularySize;

const passes = 16;
const rate = 0.6;
/** The logit, in the row that is always active, of bytes that the corpus does not contain. */
const unheard = -6;

/**
 * An earlier turn of a conversation, so that the model learns what to answer at later turns. Its words do not matter.
 */
const earlier = [
  { role: "user", content: "" },
  { role: "assistant", content: "" },
];

/** A position in an answer, and the tokens that may follow it. */
interface Position {
  readonly rows: Int32Array;
  /** How often each token follows; other tokens never do. */
  readonly next: Map<number, number>;
}

/**
 * Trains the base model. It uses the rows that conversations share, and leaves the rows of single conversations to
 * later training. It is deterministic: the same corpus results in the same weights.
 */
export function trainBase(corpus: readonly Exchange[]): TinyModel {
  const model = new TinyModel();
  const positions = positionsOf(corpus);
  const heard = new Set(positions.flatMap(({ next }) => [...next.keys()]));
  for (let token = 0; token < size; token++) if (!heard.has(token)) model.weights[token] = unheard;
  const logprobs = new Float64Array(size);
  const gradient = new Float64Array(size);
  const squares = new Float32Array(model.weights.length);
  const step = stride(positions.length);
  for (let pass = 0; pass < passes; pass++) {
    for (let index = 0; index < positions.length; index++) {
      // Neighbors are similar; a stride visits all positions in another order.
      const position = positions[(index * step) % positions.length];
      if (position === undefined) continue;
      model.logprobs(position.rows, logprobs, 0, gradient);
      for (let token = 0; token < size; token++) gradient[token] = -(gradient[token] ?? 0);
      const count = sumOf(position.next.values());
      for (const [token, one] of position.next) gradient[token] = (gradient[token] ?? 0) + one / count;
      learn(model, squares, position.rows, gradient);
    }
  }
  return model;
}

/** One step of AdaGrad (Duchi, Hazan and Singer, 2011): the more a weight has moved, the less it moves. */
function learn(model: TinyModel, squares: Float32Array, rows: Int32Array, gradient: Float64Array): void {
  const { weights } = model;
  for (const row of rows) {
    if (row < 0) break;
    const from = row * size;
    for (let token = 0; token < size; token++) {
      const slope = gradient[token]!;
      const square = (squares[from + token]! += slope * slope);
      weights[from + token]! += (rate * slope) / Math.sqrt(square + 1e-4);
    }
  }
}

function positionsOf(corpus: readonly Exchange[]): Position[] {
  const positions = new Map<string, Position>();
  for (const { questions, answers } of corpus) {
    const whole = sumOf(answers.map(({ weight }) => weight));
    for (const question of questions) {
      // In a differently worded question, the model may know only the first word, or none.
      for (const heard of [question, question.split(" ")[0] ?? "", ""]) {
        const message = { role: "user", content: heard };
        for (const before of [[], earlier]) {
          const prompt = renderPrompt([...before, message]);
          for (const { text, weight } of answers) readAnswer(positions, prompt, text, weight / whole);
        }
      }
    }
  }
  return [...positions.values()];
}

function readAnswer(positions: Map<string, Position>, prompt: Uint16Array, text: string, weight: number): void {
  const context = new Context();
  for (const token of prompt) context.push(token);
  for (const token of [...new TextEncoder().encode(text), end]) {
    const rows = new Int32Array(maxRows);
    context.baseRows(rows);
    const key = rows.join(" ");
    const position = positions.get(key) ?? { rows, next: new Map<number, number>() };
    positions.set(key, position);
    position.next.set(token, (position.next.get(token) ?? 0) + weight);
    context.push(token);
  }
}

function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** About the golden section of a length, and without a factor in common with it. */
function stride(length: number): number {
  let step = Math.max(1, Math.floor(length * 0.618));
  while (greatestCommonDivisor(step, length) !== 1) step++;
  return step;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
