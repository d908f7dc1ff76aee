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

/** The near side of what generates. */
export interface GeneratorPort {
  postMessage(question: Question): void;
  /** Keeps the process up while somebody waits. */
  ref(): void;
  unref(): void;
  terminate(): Promise<unknown>;
}

/** Starts what generates. It is told of each reply, and of an end that nobody asked for. */
export type Connect = (reply: (reply: Reply) => void, fail: (error: Error) => void) => GeneratorPort;
