import { refuse } from "@trainyard/host";
import { baseModelName } from "../base/name.ts";
import { CheckpointError } from "../checkpoint/checkpoint.ts";
import { chunksOf, completionOf } from "./answer.ts";
import { readChatRequest } from "./chat-request.ts";
import type { Question, Answer } from "./generator-protocol.ts";
import type { ServedModels } from "./served-models.ts";

/** How long frames are collected before they are sent, in milliseconds. */
const gathered = 4;

type AskQuestion = Extract<Question, { kind: "ask" }>;

interface Open {
  readonly ending: AbortController;
  readonly frames?: AsyncGenerator<object>;
}

/**
 * Handles each request: returns a whole completion, or the next frames of a stream. Requests take turns, so that a long
 * one does not block a short one.
 */
export class Generator {
  readonly #models: ServedModels;
  readonly #open = new Map<number, Open>();

  constructor(models: ServedModels) {
    this.#models = models;
  }

  /** Handles a message. Undefined if it needs no reply. */
  async answer(question: Question): Promise<Answer | undefined> {
    const { id } = question;
    try {
      if (question.kind === "ask") return await this.#begin(id, question);
      const open = this.#open.get(id);
      if (open === undefined) return undefined;
      if (question.kind === "more" && open.frames !== undefined) return await this.#more(id, open.frames);
      open.ending.abort();
      this.#open.delete(id);
      return undefined;
    } catch (error) {
      const isAborted = this.#open.get(id)?.ending.signal.aborted === true;
      this.#open.delete(id);
      if (isAborted) return undefined;
      if (error instanceof CheckpointError)
        return { refusal: refuse(500, error.message, { code: "checkpoint_damaged" }) };
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }

  async #begin(id: number, { request: body, now, weights }: AskQuestion): Promise<Answer> {
    const request = readChatRequest(body, now);
    if ("refusal" in request) return { refusal: request };
    const ending = new AbortController();
    this.#open.set(id, { ending });
    const model = await this.#models.find(weights);
    if (model === undefined) {
      this.#open.delete(id);
      const cure = `This service has ${baseModelName}, and trained models by their step, such as artifact:///entity/project/name:step1.`;
      const faults = [{ loc: ["body", "model"], msg: "This model does not exist.", type: "value_error" as const }];
      const message = `The model ${request.model} does not exist. ${cure}`;
      return { refusal: refuse(404, message, { code: "model_not_found", faults }) };
    }
    if (request.isStream) {
      this.#open.set(id, { ending, frames: chunksOf(model, request, ending.signal) });
      return { isStream: true };
    }
    const completion = await completionOf(model, request, ending.signal);
    this.#open.delete(id);
    return { completion };
  }

  /** The next frames of a stream: what arrives within a few milliseconds, or its end. */
  async #more(id: number, chunks: AsyncGenerator<object>): Promise<Answer> {
    const until = performance.now() + gathered;
    let frames = "";
    do {
      const { done, value } = await chunks.next();
      frames += `data: ${done === true ? "[DONE]" : JSON.stringify(value)}\n\n`;
      if (done === true) {
        this.#open.delete(id);
        return { frames, isEnd: true };
      }
    } while (performance.now() < until);
    return { frames, isEnd: false };
  }
}
