import { createRequire } from "node:module";
import { isObject } from "@trainyard/core/validation";
import { readDocument } from "@trainyard/document";
import { host, type Answer, type Call, type Host } from "@trainyard/host";
import type { ChatCompletionRequest } from "@trainyard/inference";
import { modelEntry } from "./model-entry.ts";
import type { TinyChat } from "./tiny-chat.ts";

/** The base path of the chat server, the same as on other chat servers. */
export const prefix = "/v1";

/** The chat server: the inference service as its document describes it, without keys. */
export function createApp(chat: TinyChat): Host {
  const bundle: unknown = createRequire(import.meta.url)("@trainyard/inference/openapi.json");
  if (!isObject(bundle)) throw new TypeError("The document of the inference service is not there.");
  return host({
    name: "tiny",
    document: readDocument(bundle),
    prefix,
    keys: "none",
    handlers: {
      "models.list": () => ({ status: 200, body: { object: "list", data: [modelEntry] } }),
      "chat.completions.create": (call) => complete(chat, call),
    },
  });
}

async function complete(chat: TinyChat, { body, signal }: Call): Promise<Answer> {
  // The document has validated it.
  const answer = await chat.complete(body as ChatCompletionRequest, signal);
  return "completion" in answer ? { status: 200, body: answer.completion } : answer;
}
