import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ChatCompletionChunk } from "@trainyard/inference";
import { baseModelName } from "../base/base-model.ts";
import { CheckpointError } from "../checkpoint/checkpoint.ts";
import { chunksOf, completionOf } from "./answer.ts";
import { readChatRequest } from "./chat-request.ts";
import { RequestError } from "./request-error.ts";
import type { ServedModels } from "./served-models.ts";

/** The largest request, in bytes: as much as the local server takes. */
const largest = 32 * 2 ** 20;

/** The chat server as one handler of requests. */
export function createApp(models: ServedModels): Hono {
  const app = new Hono();
  app.get("/v1/models", (context) => {
    const entry = { id: baseModelName, object: "model", created: 0, owned_by: "trainyard", root: baseModelName };
    return context.json({ object: "list", data: [entry] });
  });
  app.post("/v1/chat/completions", bodyLimit({ maxSize: largest, onError: tooLarge }), async (context) => {
    const { signal } = context.req.raw;
    const request = readChatRequest(await jsonOf(context));
    const model = await models.find(request.model);
    if (model === undefined) {
      const cure = `It serves ${baseModelName}, and trained models by their step: artifact:///entity/project/name:step1.`;
      const message = `There is no model ${request.model} here. ${cure}`;
      throw new RequestError(message, { status: 404, param: "model", code: "model_not_found" });
    }
    if (!request.isStream) return context.json(await completionOf(model, request, signal));
    return new Response(framesOf(chunksOf(model, request, signal)), {
      headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store" },
    });
  });
  app.notFound((context) => {
    const message = `There is no ${context.req.method} ${context.req.path}. There are POST /v1/chat/completions and GET /v1/models.`;
    return refusal(context, 404, { message, param: null, code: "not_found" });
  });
  app.onError((error, context) => {
    if (error instanceof RequestError) return refusal(context, error.status, error);
    const isDamaged = error instanceof CheckpointError;
    if (!isDamaged) console.error(error);
    const message = isDamaged ? error.message : "The answer failed. Standard error says why.";
    return refusal(context, 500, { message, param: null, code: isDamaged ? "checkpoint_damaged" : "internal_error" });
  });
  return app;
}

async function jsonOf(context: Context): Promise<unknown> {
  try {
    return await context.req.json();
  } catch {
    throw new RequestError("The request is no JSON.", { code: "json_invalid" });
  }
}

function tooLarge(): never {
  throw new RequestError(`The request is larger than ${largest} bytes.`, { status: 413, code: "request_too_large" });
}

interface Fault {
  readonly message: string;
  readonly param: string | null;
  readonly code: string;
}

function refusal(context: Context, status: 400 | 404 | 413 | 500, { message, param, code }: Fault): Response {
  const type = status === 500 ? "server_error" : "invalid_request_error";
  return context.json({ error: { message, type, param, code } }, status);
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
