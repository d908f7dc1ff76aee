import type { Refusal } from "@trainyard/host";
import type { ChatCompletion, ChatCompletionRequest, InferenceError } from "@trainyard/inference";

/** Why there is no completion, with a code of the inference service. */
export type ChatRefusal = Refusal<400 | 404 | 500, Extract<InferenceError["error"]["code"], string>>;

/** A message to the thread that generates. */
export type Question =
  | {
      readonly id: number;
      readonly kind: "ask";
      readonly request: ChatCompletionRequest;
      readonly now: number;
      readonly weights: string;
    }
  /** Requests the next frames of a stream. */
  | { readonly id: number; readonly kind: "more" }
  /** Cancels a request. */
  | { readonly id: number; readonly kind: "end" };

/** A message from the thread. */
export type Answer =
  | { readonly completion: ChatCompletion }
  | { readonly isStream: true }
  | { readonly frames: string; readonly isEnd: boolean }
  | { readonly refusal: ChatRefusal }
  | { readonly error: string };

export type Reply = Answer & { readonly id: number };

/** The caller's side of the generator. */
export interface GeneratorPort {
  postMessage(question: Question): void;
  /** Keeps the process alive while a request is waiting. */
  ref(): void;
  unref(): void;
  terminate(): Promise<unknown>;
}

/** Starts the generator. The callbacks receive each reply, and an unexpected end. */
export type Connect = (reply: (reply: Reply) => void, fail: (error: Error) => void) => GeneratorPort;
