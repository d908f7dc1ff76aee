import { createRequire } from "node:module";
import { isObject } from "@trainyard/core/validation";
import { readDocument } from "@trainyard/document";
import { host, listen, refuse } from "@trainyard/host";
import type { ChatCompletionRequest, ModelListEntry } from "@trainyard/inference";
import { baseModelName } from "../base/name.ts";
import { inThread } from "./in-thread.ts";
import { TinyChat } from "./tiny-chat.ts";

/** The entry of the model in lists of models. */
export const modelEntry: ModelListEntry = {
  id: baseModelName,
  object: "model",
  created: 0,
  owned_by: "trainyard",
  root: baseModelName,
};

/** The base path of the chat server, the same as on other chat servers. */
const prefix = "/v1";

/** The options of a chat server. */
export interface ServeTinyOptions {
  /** 4020 by default; 0 selects any free port. */
  readonly port?: number;
  /** `127.0.0.1` by default, which only this machine can reach. */
  readonly host?: string;
  /** The folder in which the local server stores checkpoints; without it, only the base model is served. */
  readonly checkpoints?: string | undefined;
}

/** A running chat server. */
export interface TinyServer {
  /** Its base URL, to which `/chat/completions` is appended: `http://127.0.0.1:4020/v1`. */
  readonly url: string;
  /** Stops accepting requests, and resolves once open requests have ended. */
  close(): Promise<void>;
}

/**
 * Serves the tiny model as the document of the inference service describes it, without keys: to the local server as its
 * backend, or to any client.
 *
 * @throws Error if the port is in use
 */
export async function serveTiny(options: ServeTinyOptions = {}): Promise<TinyServer> {
  const { port = 4020, host: address = "127.0.0.1", checkpoints } = options;
  const bundle: unknown = createRequire(import.meta.url)("@trainyard/inference/openapi.json");
  if (!isObject(bundle)) throw new TypeError("The document of the inference service is not there.");
  const chat = new TinyChat(inThread(checkpoints));
  const service = host({
    name: "tiny",
    document: readDocument(bundle),
    prefix,
    keys: "none",
    handlers: {
      "models.list": () => ({ status: 200, body: { object: "list", data: [modelEntry] } }),
      "models.retrieve": ({ path: { model } }) =>
        model === baseModelName
          ? { status: 200, body: modelEntry }
          : refuse(404, `The model ${model} does not exist. The list has: ${baseModelName}.`, {
              code: "model_not_found",
            }),
      "chat.completions.create": async ({ body, signal }) => {
        // The document has validated it.
        const answer = await chat.complete(body as ChatCompletionRequest, signal);
        return "completion" in answer ? { status: 200, body: answer.completion } : answer;
      },
    },
  });
  const { url, close } = await listen(service, { port, host: address });
  return {
    url: `${url}${prefix}`,
    close: async () => {
      await close();
      await chat.close();
    },
  };
}
