import type { Fault } from "@trainyard/core/validation";
import type { ChatCompletion, ChatCompletionRequest, ModelListEntry } from "@trainyard/inference";
import { refuse, refuseFault } from "@trainyard/host";
import type { Store } from "../store/store.ts";
import { BackendError, type ChatBackend, type ChatRefusal, type ChatModel } from "./backend.ts";
import { parseTrainedName, plainArtifact, trainedName } from "./model-name.ts";

/** A request for a completion, of either service. */
export interface ChatRequest {
  readonly owner: string;
  readonly body: ChatCompletionRequest;
  readonly signal: AbortSignal;
}

/** The responses that both services share. They differ in the status of an invalid request. */
export type ChatAnswer<Invalid extends number> =
  | { readonly status: 200; readonly body: ChatCompletion }
  | { readonly stream: ReadableStream<Uint8Array> }
  | ChatRefusal<Invalid | 404 | 429 | 500 | 503>;

/** Chat over a backend: finds the model that is meant, and turns the backend's results into responses. */
export class Chat {
  readonly #store: Store;
  readonly #backend: ChatBackend;
  readonly #now: () => number;

  constructor(store: Store, backend: ChatBackend, now: () => number) {
    this.#store = store;
    this.#backend = backend;
    this.#now = now;
  }

  async complete<Invalid extends number>(
    { owner: entity, body, signal }: ChatRequest,
    invalid: Invalid,
  ): Promise<ChatAnswer<Invalid>> {
    try {
      const request = { ...body, model: plainArtifact(body.model) };
      const model = await this.#find(entity, request.model);
      if (model === undefined) {
        const message = `The model ${request.model} does not exist. ${await this.#cure(entity, request.model)}`;
        return refuse(404, message, { code: "model_not_found", faults: [missing] });
      }
      const result = await this.#backend.complete({ model, request, signal, now: this.#now() });
      if ("stream" in result) return result;
      if ("completion" in result) return { status: 200, body: result.completion };
      const { refusal: status } = result;
      return { ...result, refusal: status === 400 ? invalid : status };
    } catch (error) {
      if (!(error instanceof BackendError)) throw error;
      const { kind, message } = error;
      const { retryAfter, param } = error.details;
      if (kind === "invalid") return refuseFault(invalid, ["body", ...stepsOf(param ?? "")], message);
      if (kind === "unknown-model") return refuse(404, message, { code: "model_not_found" });
      return kind === "busy" ? refuse(429, message, { code: "rate_limit_exceeded", retryAfter }) : unavailable(error);
    }
  }

  /** Stops what the backend runs. */
  async close(): Promise<void> {
    await this.#backend.close?.();
  }

  /**
   * The base models, then the trained models of an entity. If the backend has no list, the base models of known models.
   */
  async list(entity: string, signal: AbortSignal): Promise<ModelListEntry[] | ChatRefusal<503>> {
    const [base, trained] = await Promise.all([this.#models(signal), this.#store.call("models.list", { entity })]);
    if (base !== undefined && "refusal" in base) return base;
    return [
      ...(base ?? []),
      ...trained.map((model) => ({
        id: trainedName(model),
        object: "model" as const,
        created: Math.floor(model.created / 1000),
        owned_by: model.entity,
        root: model.base_model,
      })),
    ];
  }

  /** One entry of the list, by any name that chat takes: also by a step, by `:latest`, or with an operator's prefix. */
  async retrieve(
    entity: string,
    wanted: string,
    signal: AbortSignal,
  ): Promise<{ readonly status: 200; readonly body: ModelListEntry } | ChatRefusal<404 | 503>> {
    const name = plainArtifact(wanted);
    const trained = (await this.#find(entity, name))?.trained;
    const all = await this.list(entity, signal);
    if ("refusal" in all) return all;
    const listed = trained === undefined ? name : trainedName(trained.model);
    const entry = all.find(({ id }) => id === listed || id === `${listed}:latest`);
    // A program compares the `id` with what it asked for.
    if (entry !== undefined) return { status: 200, body: { ...entry, id: wanted } };
    const there = all.length === 0 ? "The list is empty." : `The list has: ${firstOf(all.map(({ id }) => id))}.`;
    const message = `The model ${name} does not exist. ${there}`;
    return refuse(404, message, { code: "model_not_found", faults: [{ ...missing, loc: ["path", "model"] }] });
  }

  /**
   * Checks that the backend can be reached.
   * @throws Error if it cannot, or does not respond within 10 s
   */
  async check(signal: AbortSignal): Promise<void> {
    await this.#backend.check(AbortSignal.any([signal, AbortSignal.timeout(10_000)]));
  }

  /** The names of the base models; undefined if the backend has no list of them. */
  async baseModels(signal: AbortSignal): Promise<string[] | undefined | ChatRefusal<503>> {
    const models = await this.#models(signal);
    return models === undefined || "refusal" in models ? models : models.map(({ id }) => id);
  }

  async #models(signal: AbortSignal): Promise<ModelListEntry[] | undefined | ChatRefusal<503>> {
    try {
      return await this.#backend.models(signal);
    } catch (error) {
      if (!(error instanceof BackendError)) throw error;
      return unavailable(error);
    }
  }

  async #find(entity: string, wanted: string): Promise<ChatModel | undefined> {
    const trained = parseTrainedName(wanted);
    // The backend decides which base models it knows: many accept names that they do not list.
    if (trained === undefined) return { name: wanted };
    // Models of other entities are treated as if they did not exist.
    if (trained === "malformed" || trained.entity !== entity) return undefined;
    const found = await this.#store.call("models.step", trained);
    if (found === undefined) return undefined;
    // The untrained step is the base model, which every backend knows, even one that has never seen this server's
    // names.
    const name = found.step === 0 ? found.model.base_model : trainedName(trained, found.step);
    return { name, trained: found };
  }

  /** Says which trained models the caller can use instead of an unknown one. */
  async #cure(entity: string, wanted: string): Promise<string> {
    const trained = parseTrainedName(wanted);
    if (trained === undefined || trained === "malformed")
      return "Trained models are named artifact:///entity/project/name, with :stepN or :latest at the end.";
    const names = (await this.#store.call("models.list", { entity })).map((model) => trainedName(model));
    const name = trainedName(trained);
    if (names.includes(name)) return `Its newest checkpoint is ${name}:latest.`;
    if (names.length === 0) return "This key has no trained models.";
    return `This key has: ${firstOf(names)}.`;
  }
}

const missing: Fault = { loc: ["body", "model"], msg: "This model does not exist.", type: "value_error" };
/** How many names a response lists if a key has more. */
const mostNames = 5;

function firstOf(names: readonly string[]): string {
  const others = names.length > mostNames ? `, and ${names.length - mostNames} more` : "";
  return names.slice(0, mostNames).join(", ") + others;
}

/** Seconds to wait before a retry when the backend cannot be reached: loading a model takes minutes. */
const awayFor = 5;

function unavailable({ message, details: { reason, retryAfter = awayFor } }: BackendError): ChatRefusal<503> {
  return refuse(503, message, { code: "overloaded", retryAfter, reason });
}

/** The steps of a path as chat servers write it: `messages[0].content`, or `messages.0.content`. */
function stepsOf(param: string): (string | number)[] {
  const steps = param.split(/[.[\]]+/).filter((step) => step !== "");
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}
