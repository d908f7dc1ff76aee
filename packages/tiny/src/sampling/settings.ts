/** The settings of one answer. */
export interface SampleSettings {
  /** 0 for the most probable token, 1 for the model's own distribution. */
  readonly temperature: number;
  /** Excludes the least probable tokens beyond this mass, after the temperature is applied. */
  readonly topP: number;
  /** Subtracted from a token's logit for each time that it occurred. */
  readonly frequencyPenalty: number;
  /** Subtracted from a token's logit once it occurred. */
  readonly presencePenalty: number;
  /** Added to the logits of tokens. */
  readonly bias: ReadonlyMap<number, number>;
  /** Sequences that end an answer. They are not part of it. */
  readonly stops: readonly string[];
  /** The most tokens that are sampled, including the end. */
  readonly maxTokens: number;
  /** The same seed gives the same answer; random if undefined. */
  readonly seed: number | undefined;
  /** How many of the most probable tokens are returned for each position. */
  readonly top: number;
  /** The answer is one of these. The model chooses byte by byte, where they differ. */
  readonly texts?: readonly Uint8Array[] | undefined;
  /** Whether the answer begins with a letter or a digit. */
  readonly isInWords?: boolean;
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
