import type { Refusal } from "@trainyard/host";
import type { ChatCompletion, ChatCompletionRequest } from "@trainyard/inference";

/** What is asked of the thread that generates. */
export type Question =
  | {
      readonly id: number;
      readonly kind: "ask";
      readonly request: ChatCompletionRequest;
      readonly now: number;
      readonly weights: string;
    }
  /** The next frames of a stream. */
  | { readonly id: number; readonly kind: "more" }
  /** Nobody waits any more. */
  | { readonly id: number; readonly kind: "end" };

/** What it answers. */
export type Told =
  | { readonly completion: ChatCompletion }
  | { readonly isStream: true }
  | { readonly frames: string; readonly isEnd: boolean }
  | { readonly refusal: Refusal<400 | 404 | 500> }
  | { readonly error: string };

export type Reply = Told & { readonly id: number };
