import type { ChatCompletion, ChatCompletionRequest, ModelListEntry } from "@trainyard/inference";
import type { Refusal } from "@trainyard/host";
import type { ModelRecord } from "../store/commands/models.ts";

/** Which model a conversation is for. */
export interface ChatModel {
  /** As a backend knows it: a base model's name, or `artifact:///entity/project/name:step3`. */
  readonly name: string;
  /** The trained model and its step; absent for a base model. */
  readonly trained?: { readonly model: ModelRecord; readonly step: number };
}

/** A conversation to answer. */
export interface ChatCall {
  readonly model: ChatModel;
  readonly request: ChatCompletionRequest;
  /** Ends when nobody waits any more. */
  readonly signal: AbortSignal;
  /** The server's time, in milliseconds. */
  readonly now: number;
}

/** A whole answer, a stream of it in wire framing, or why there is none. */
export type ChatResult =
  | { readonly completion: ChatCompletion }
  | { readonly stream: ReadableStream<Uint8Array> }
  | Refusal<400 | 404 | 500>;

/** What answers chat in the local server. */
export interface ChatBackend {
  /**
   * The base models that it offers; undefined where it has no list of them.
   * @throws BackendError where it cannot be reached
   */
  models(signal: AbortSignal): Promise<ModelListEntry[] | undefined>;
  /** @throws BackendError where it is not there */
  check(signal: AbortSignal): Promise<void>;
  /** @throws BackendError where it cannot answer */
  complete(call: ChatCall): Promise<ChatResult>;
  /** Ends what it runs. */
  close?(): Promise<void>;
}

/** Why a backend does not answer. */
export class BackendError extends Error {
  override readonly name = "BackendError";
  readonly kind: "invalid" | "unknown-model" | "busy" | "unavailable";
  /** Seconds until it is worth trying again. */
  readonly retryAfter: number | undefined;
  /** The field of the request that is wrong. */
  readonly param: string | undefined;

  constructor(
    kind: BackendError["kind"],
    message: string,
    { retryAfter, param, cause }: { retryAfter?: number; param?: string; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.kind = kind;
    this.retryAfter = retryAfter;
    this.param = param;
  }
}
