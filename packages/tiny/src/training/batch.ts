import { Context, maxRows } from "../model/context.ts";
import type { RenderedAnswer } from "../model/conversation.ts";
import type { Positions } from "./learner.ts";

/** The tokens that a job trains on, in the order in which they were added. */
export interface Batch extends Positions {
  /** The logged log probability of each token; NaN if there is none. */
  readonly logged: Float64Array;
  /** Where each sequence starts, and where the last one ends. */
  readonly starts: readonly number[];
}

/** A conversation, and the answers of it that are trained on. */
export interface Sequence {
  readonly tokens: Uint16Array;
  readonly answers: readonly Pick<RenderedAnswer, "start" | "end" | "logprobs">[];
}

/** How many tokens of conversations are trained on. */
export function countLearned(sequences: readonly Sequence[]): number {
  return sequences.flatMap(({ answers }) => answers).reduce((sum, { start, end }) => sum + end - start, 0);
}

/** Reads conversations token by token, and records the positions of their trained answers. */
export function batchOf(sequences: readonly Sequence[]): Batch {
  const count = countLearned(sequences);
  const tokens = new Uint16Array(count);
  const rows = new Int32Array(count * maxRows).fill(-1);
  const logged = new Float64Array(count).fill(NaN);
  const starts = [0];
  let next = 0;
  for (const sequence of sequences) {
    const context = new Context();
    let position = 0;
    for (const { start, end, logprobs } of sequence.answers) {
      for (; position < start; position++) context.push(sequence.tokens[position] ?? 0);
      if (logprobs !== undefined) logged.set(logprobs, next);
      for (; position < end; position++, next++) {
        const token = sequence.tokens[position] ?? 0;
        tokens[next] = token;
        context.rows(rows, next * maxRows);
        context.push(token);
      }
    }
    starts.push(next);
  }
  return { tokens, rows, logged, starts };
}
