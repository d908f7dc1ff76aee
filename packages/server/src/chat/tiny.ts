import { inThread, modelEntry, TinyChat } from "@trainyard/tiny";
import type { ChatBackend } from "./backend.ts";

/**
 * The backend that needs nothing plugged in: the tiny model, in a thread of its own.
 *
 * @param checkpoints gives the folder where its trainer keeps what it learned, which may be made only then
 */
export function tinyBackend(checkpoints: () => string): ChatBackend {
  let chat: TinyChat | undefined;
  return {
    models: async () => [modelEntry],
    check: async () => undefined,
    complete: ({ model, request, signal, now }) => {
      chat ??= new TinyChat(inThread(checkpoints()));
      return chat.complete(request, signal, { now, weights: model.name });
    },
    close: async () => chat?.close(),
  };
}
