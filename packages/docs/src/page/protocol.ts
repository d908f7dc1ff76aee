/** The messages between a page and its worker. */

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

/** A message from the page to its worker. */
export type ToWorker =
  /** `text` is the program of a sample that was edited. */
  | { readonly kind: "run"; readonly sample: string; readonly text?: string }
  | { readonly kind: "learn"; readonly settings: LearnSettings }
  /** Changes the settings of the next rounds. */
  | { readonly kind: "settings"; readonly settings: LearnSettings }
  | { readonly kind: "read"; readonly id: number; readonly path: string };

/** A message from the worker to its page. */
export type FromWorker =
  | { readonly kind: "beat" }
  | { readonly kind: "print"; readonly text: string; readonly isError: boolean }
  | RequestMessage
  /** `error` is a sentence. */
  | { readonly kind: "done"; readonly error?: string }
  | { readonly kind: "read"; readonly id: number; readonly status: number; readonly body: string }
  | { readonly kind: "learning"; readonly run: string; readonly step: number; readonly steps: number }
  | {
      readonly kind: "rollout";
      readonly step: number;
      readonly prompt: string;
      readonly text: string;
      readonly reward: number;
    };

/** The steps of a sample's request, in order: the request, its response, the parts of the body, the end. */
export type RequestMessage =
  | {
      readonly kind: "request";
      readonly id: number;
      readonly method: string;
      readonly path: string;
      readonly body: string;
    }
  | { readonly kind: "answer"; readonly id: number; readonly status: number; readonly isStream: boolean }
  | { readonly kind: "part"; readonly id: number; readonly text: string }
  | { readonly kind: "end"; readonly id: number; readonly milliseconds: number };

/** What a page says if a file of it could not be loaded. The next run loads it again. */
export const notLoaded = "Could not load. Try again.";

/** An error of a run whose message is the sentence that the page shows. */
export class Told extends Error {}

/** The interval at which a worker reports that it is alive, in milliseconds. */
export const beatEvery = 1000;
