/** The settings of a round. */
export interface LearnSettings {
  /** The id of a task. */
  readonly task: string;
  /** Attempts per prompt. */
  readonly attempts: number;
  /** Undefined for the trainer's default. */
  readonly learningRate: number | undefined;
  /**
   * How strongly the model is kept near the untrained one in the first round. It falls linearly to 0 after the last
   * round.
   */
  readonly kl: number;
  /** The seed of the sampling: the same seed gives the same run. */
  readonly seed: number;
}
