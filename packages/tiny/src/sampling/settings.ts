import type { Form } from "../forms/form.ts";

/** How an answer is sampled. */
export interface SampleSettings {
  /** 0 for the most probable token, 1 for the model's own distribution. */
  readonly temperature: number;
  /** Leaves out the least probable tokens beyond this mass, after the temperature. */
  readonly topP: number;
  /** Taken off a logit for each time that its token was said. */
  readonly frequencyPenalty: number;
  /** Taken off a logit once its token was said. */
  readonly presencePenalty: number;
  /** Added to the logits of tokens. */
  readonly bias: ReadonlyMap<number, number>;
  /** What ends an answer, and is no part of it. */
  readonly stops: readonly string[];
  /** The most tokens that are sampled, the end included. */
  readonly maxTokens: number;
  /** The same one gives the same answer; any answer where it is undefined. */
  readonly seed: number | undefined;
  /** How many of the most probable tokens are told at each place. */
  readonly top: number;
  /** What the answer must look like; any text by default. */
  readonly form?: Form | undefined;
}

/** The model's own distribution. */
export const plainSettings: SampleSettings = {
  temperature: 1,
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
  bias: new Map(),
  stops: [],
  maxTokens: 1024,
  seed: undefined,
  top: 0,
};
