import type { ChatCompletion, ChatCompletionRequest, InferenceError, ModelListEntry } from "@trainyard/inference";
import type { Refusal } from "@trainyard/host";
import type { ModelRecord } from "../store/commands/models.ts";

/** Which model a conversation is for. */
export interface ChatModel {
  /** The name that the backend knows: a base model's name, or `artifact:///entity/project/name:step3`. */
  readonly name: string;
  /** The trained model and its step; absent for a base model. */
  readonly trained?: { readonly model: ModelRecord; readonly step: number };
}

/** A conversation to answer. */
export interface ChatCall {
  readonly model: ChatModel;
  readonly request: ChatCompletionRequest;
  /** Aborted when the caller no longer waits for the response. */
  readonly signal: AbortSignal;
  /** The server's time, in milliseconds. */
  readonly now: number;
}

/** Why there is no completion, with a code of the inference service. */
export type ChatRefusal<Status extends number> = Refusal<Status, Extract<InferenceError["error"]["code"], string>>;

/** A whole response, a stream of it in wire framing, or the reason why there is none. */
export type ChatResult =
  | { readonly completion: ChatCompletion }
  | { readonly stream: ReadableStream<Uint8Array> }
  | ChatRefusal<400 | 404 | 500>;

/** What answers chat in the local server. */
export interface ChatBackend {
  /**
   * The base models that it offers; undefined if it has no list of them.
   * @throws BackendError if it cannot be reached
   */
  models(signal: AbortSignal): Promise<ModelListEntry[] | undefined>;
  /** @throws Error if it cannot be reached, or gives no sign of life */
  check(signal: AbortSignal): Promise<void>;
  /** @throws BackendError if it cannot complete the conversation */
  complete(call: ChatCall): Promise<ChatResult>;
  /** Stops what the backend runs. */
  close?(): Promise<void>;
}

/** More about why a backend returned no completion. */
interface BackendErrorDetails {
  /** Seconds after which a retry may succeed. */
  readonly retryAfter?: number;
  /** The invalid field of the request. */
  readonly param?: string;
  /** What the log says instead of the message, with the address that callers do not learn. */
  readonly reason?: string;
  readonly cause?: unknown;
}

/** Why a backend returned no completion. */
export class BackendError extends Error {
  override readonly name = "BackendError";
  readonly kind: "invalid" | "unknown-model" | "busy" | "unavailable";
  readonly details: BackendErrorDetails;

  constructor(kind: BackendError["kind"], message: string, details: BackendErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.details = details;
  }
}
