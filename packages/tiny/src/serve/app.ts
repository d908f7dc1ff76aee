import { createRequire } from "node:module";
import { isObject } from "@trainyard/core/validation";
import { readDocument } from "@trainyard/document";
import { host, refuse, type Answer, type Call, type Host } from "@trainyard/host";
import type { ChatCompletionChunk, ChatCompletionRequest } from "@trainyard/inference";
import { baseModelName } from "../base/base-model.ts";
import { CheckpointError } from "../checkpoint/checkpoint.ts";
import { chunksOf, completionOf } from "./answer.ts";
import { readChatRequest } from "./chat-request.ts";
import type { ServedModels } from "./served-models.ts";

/** Where the chat server answers, as others of its kind do. */
export const prefix = "/v1";

/** The chat server: the inference service as its document has it, for whoever reaches it. */
export function createApp(models: ServedModels): Host {
  const bundle: unknown = createRequire(import.meta.url)("@trainyard/inference/openapi.json");
  if (!isObject(bundle)) throw new TypeError("The document of the inference service is not there.");
  const entry = { id: baseModelName, object: "model", created: 0, owned_by: "trainyard", root: baseModelName };
  return host({
    name: "tiny",
    document: readDocument(bundle),
    prefix,
    keys: "none",
    handlers: {
      "models.list": () => ({ status: 200, body: { object: "list", data: [entry] } }),
      "chat.completions.create": (call) => complete(models, call),
    },
  });
}

async function complete(models: ServedModels, { body, signal }: Call): Promise<Answer> {
  // The document has judged it.
  const request = readChatRequest(body as ChatCompletionRequest);
  if ("refusal" in request) return request;
  try {
    const model = await models.find(request.model);
    if (model === undefined) {
      const cure = `It serves ${baseModelName}, and trained models by their step: artifact:///entity/project/name:step1.`;
      const faults = [{ loc: ["body", "model"], msg: "This model does not exist.", type: "value_error" as const }];
      return refuse(404, `There is no model ${request.model} here. ${cure}`, { code: "model_not_found", faults });
    }
    if (request.isStream) return { stream: framesOf(chunksOf(model, request, signal)) };
    return { status: 200, body: await completionOf(model, request, signal) };
  } catch (error) {
    if (error instanceof CheckpointError) return refuse(500, error.message, { code: "checkpoint_damaged" });
    throw error;
  }
}

/** Chunks as server-sent events, each sampled when it is read. Who stops reading ends the sampling. */
function framesOf(chunks: AsyncGenerator<ChatCompletionChunk>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      controller.enqueue(encoder.encode(`data: ${done === true ? "[DONE]" : JSON.stringify(value)}\n\n`));
      if (done === true) controller.close();
    },
  });
}
