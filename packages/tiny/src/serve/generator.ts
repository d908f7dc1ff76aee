import { refuse, type Refusal } from "@trainyard/host";
import type { ChatCompletion, ChatCompletionRequest, InferenceError } from "@trainyard/inference";
import { baseModelName } from "../base/name.ts";
import { CheckpointError } from "../checkpoint/checkpoint.ts";
import type { TinyModel } from "../model/tiny-model.ts";
import { chunksOf, completionOf } from "./answer.ts";
import { readChatRequest, type ReadRequest } from "./chat-request.ts";
import { ServedModels } from "./served-models.ts";

/** How long frames are collected before they are sent, in milliseconds. */
const gathered = 4;

/** A chat request, the time to answer at in milliseconds, and the model whose weights answer. */
export interface Question {
  readonly request: ChatCompletionRequest;
  readonly now: number;
  readonly weights: string;
}

/** Why there is no completion, with a code of the inference service. */
export type ChatRefusal = Refusal<400 | 404 | 500, Extract<InferenceError["error"]["code"], string>>;

/** A whole completion, or the frames of a stream. */
export type Answer = { readonly completion: ChatCompletion } | AsyncGenerator<string, undefined> | ChatRefusal;

/** The caller's side of the generator. */
export interface Generator {
  /** @throws the reason of the aborted signal */
  ask(question: Question, options: { readonly signal: AbortSignal }): Promise<Answer>;
  /** @throws Error while it gives no sign of life */
  check(): void;
  /** Stops it. Open requests fail. */
  close(): Promise<void>;
}

/**
 * The tiny model in the caller's thread: a page's worker is a thread of its own already.
 *
 * @param checkpoints the folder in which the local server stores checkpoints
 * @param loadBase returns the base model
 */
export function inProcess(checkpoints: string, loadBase: () => Promise<TinyModel>): Generator {
  const models = new ServedModels(checkpoints, loadBase);
  return {
    ask: (question, { signal }) => generate(models, question, signal),
    check: () => undefined,
    close: async () => undefined,
  };
}

/**
 * Answers a request. Requests take turns, so that a long one does not block a short one.
 *
 * @param read reads the request, elsewhere if that takes long
 */
export async function generate(
  models: ServedModels,
  { request: body, now, weights }: Question,
  signal: AbortSignal,
  read: (body: ChatCompletionRequest, now: number) => ReadRequest | Promise<ReadRequest> = readChatRequest,
): Promise<Answer> {
  signal.throwIfAborted();
  const request = await read(body, now);
  if ("refusal" in request) return request;
  try {
    const model = await models.find(weights);
    if (model === undefined) {
      const cure = `This service has ${baseModelName}, and trained models by their step, such as artifact:///entity/project/name:step1.`;
      const faults = [{ loc: ["body", "model"], msg: "This model does not exist.", type: "value_error" as const }];
      const message = `The model ${request.model} does not exist. ${cure}`;
      return refuse(404, message, { code: "model_not_found", faults });
    }
    if (request.isStream) return framesOf(chunksOf(model, request, signal));
    return { completion: await completionOf(model, request, signal) };
  } catch (error) {
    if (error instanceof CheckpointError) return refuse(500, error.message, { code: "checkpoint_damaged" });
    throw error;
  }
}

/** The frames of a stream: each time what arrives within a few milliseconds. */
async function* framesOf(chunks: AsyncGenerator<object>): AsyncGenerator<string, undefined> {
  for (let isEnd = false; !isEnd;) {
    const until = performance.now() + gathered;
    let frames = "";
    do {
      const { done, value } = await chunks.next();
      isEnd = done === true;
      frames += `data: ${isEnd ? "[DONE]" : JSON.stringify(value)}\n\n`;
    } while (!isEnd && performance.now() < until);
    yield frames;
  }
  return undefined;
}
