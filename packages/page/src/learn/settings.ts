/** What a round of learning goes by. */
export interface LearnSettings {
  /** The id of a task. */
  readonly task: string;
  /** Attempts a prompt. */
  readonly attempts: number;
  /** Undefined for the trainer's own. */
  readonly learningRate: number | undefined;
  /** How strongly the model is held to the untrained one; 0 not at all. */
  readonly kl: number;
  readonly rounds: number;
}
