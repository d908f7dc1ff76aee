import type { Fault } from "@trainyard/core/validation";
import type { ChatCompletion, ChatCompletionRequest, ModelListEntry } from "@trainyard/inference";
import { plainArtifact } from "../artifact-scheme.ts";
import { refuse, refuseFault, type Refusal } from "@trainyard/host";
import type { Store } from "../store/store.ts";
import { BackendError, type ChatBackend, type ChatModel } from "./backend.ts";
import { parseTrainedName, trainedName } from "./model-name.ts";

/** A request for a completion, of either service. */
export interface ChatRequest {
  readonly owner: string;
  readonly body: ChatCompletionRequest;
  readonly signal: AbortSignal;
}

/** What both services answer; they differ in the status of a request that is not valid. */
export type ChatAnswer<Invalid extends number> =
  | { readonly status: 200; readonly body: ChatCompletion }
  | { readonly stream: ReadableStream<Uint8Array> }
  | Refusal<Invalid | 404 | 429 | 500 | 503>;

/** Chat over a backend: finds out which model is meant, and turns what the backend says into answers. */
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
      const { kind, message, retryAfter, param } = error;
      if (kind === "invalid") return refuseFault(invalid, ["body", ...stepsOf(param ?? "")], message);
      if (kind === "unknown-model") return refuse(404, message, { code: "model_not_found" });
      return kind === "busy" ? refuse(429, message, { code: "rate_limit_exceeded", retryAfter }) : unavailable(error);
    }
  }

  /** Ends what the backend runs. */
  async close(): Promise<void> {
    await this.#backend.close?.();
  }

  /** The base models, then the trained ones of an entity. Without a list of the backend's, those that are known. */
  async list(entity: string, signal: AbortSignal): Promise<ModelListEntry[] | Refusal<503>> {
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

  /**
   * Looks whether the backend is there.
   * @throws Error where it is not, or does not say so within 10 s
   */
  async check(signal: AbortSignal): Promise<void> {
    await this.#backend.check(AbortSignal.any([signal, AbortSignal.timeout(10_000)]));
  }

  /** The names of the base models; undefined where the backend has no list of them. */
  async baseModels(signal: AbortSignal): Promise<string[] | undefined | Refusal<503>> {
    const models = await this.#models(signal);
    return models === undefined || "refusal" in models ? models : models.map(({ id }) => id);
  }

  async #models(signal: AbortSignal): Promise<ModelListEntry[] | undefined | Refusal<503>> {
    try {
      return await this.#backend.models(signal);
    } catch (error) {
      if (!(error instanceof BackendError)) throw error;
      return unavailable(error);
    }
  }

  async #find(entity: string, asked: string): Promise<ChatModel | undefined> {
    const trained = parseTrainedName(asked);
    // The backend says which base models it knows: many answer to names that they do not list.
    if (trained === undefined) return { name: asked };
    // The models of others are as unknown as those that never were.
    if (trained === "malformed" || trained.entity !== entity) return undefined;
    const found = await this.#store.call("models.step", trained);
    if (found === undefined) return undefined;
    // Untrained is the base model, which any backend knows, also one that has never heard of this server's names.
    const name = found.step === 0 ? found.model.base_model : trainedName(trained, found.step);
    return { name, trained: found };
  }

  /** What there is in place of a trained model that is not known. */
  async #cure(entity: string, asked: string): Promise<string> {
    const trained = parseTrainedName(asked);
    if (trained === undefined || trained === "malformed")
      return "Trained models are named artifact:///entity/project/name, with :stepN or :latest at the end.";
    const names = (await this.#store.call("models.list", { entity })).map((model) => trainedName(model));
    const name = trainedName(trained);
    if (names.includes(name)) return `Its newest checkpoint is ${name}:latest.`;
    if (names.length === 0) return "This key has no trained models.";
    const more = names.length > mostNames ? `, and ${names.length - mostNames} more` : "";
    return `This key has: ${names.slice(0, mostNames).join(", ")}${more}.`;
  }
}

const missing: Fault = { loc: ["body", "model"], msg: "This model does not exist.", type: "value_error" };
/** How many names an answer lists, where a key has more. */
const mostNames = 5;

/** Seconds after which a backend that is away may be there: one that loads a model takes minutes. */
const awayFor = 5;

function unavailable({ message, retryAfter = awayFor }: BackendError): Refusal<503> {
  return refuse(503, message, { code: "backend_unavailable", retryAfter });
}

/** The steps of a place as chat servers write it: `messages[0].content`, or `messages.0.content`. */
function stepsOf(param: string): (string | number)[] {
  const steps = param.split(/[.[\]]+/).filter((step) => step !== "");
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}
