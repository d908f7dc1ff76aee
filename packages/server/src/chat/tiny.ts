import { modelEntry, TinyChat } from "@trainyard/tiny";
import type { ChatBackend } from "./backend.ts";

/**
 * The default backend, which needs no setup: the tiny model.
 *
 * @param connect starts it, at the first request
 */
export function tinyBackend(connect: () => ConstructorParameters<typeof TinyChat>[0]): ChatBackend {
  let chat: TinyChat | undefined;
  return {
    models: async () => [modelEntry],
    check: async () => undefined,
    complete: ({ model, request, signal, now }) => {
      chat ??= new TinyChat(connect());
      return chat.complete(request, signal, { now, weights: model.name });
    },
    close: async () => chat?.close(),
  };
}
