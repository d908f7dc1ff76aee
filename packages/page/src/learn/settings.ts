/** What a round of learning goes by. */
export interface LearnSettings {
  /** The id of a task. */
  readonly task: string;
  /** Attempts a prompt. */
  readonly attempts: number;
  /** Undefined for the trainer's own. */
  readonly learningRate: number | undefined;
  /** How strongly the model is held to the untrained one in the first round; it falls evenly, to 0 after the last one. */
  readonly kl: number;
  /** What the model says is chance: the same seed gives the same run. */
  readonly seed: number;
}
