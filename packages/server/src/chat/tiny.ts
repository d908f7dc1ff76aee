import { modelEntry, TinyChat } from "@trainyard/tiny";
import type { ChatBackend } from "./backend.ts";

/** The default backend, which needs no setup: the tiny model. */
export function tinyBackend(generator: ConstructorParameters<typeof TinyChat>[0]): ChatBackend {
  const chat = new TinyChat(generator);
  return {
    models: async () => [modelEntry],
    check: async () => chat.check(),
    complete: ({ model, request, signal, now }) => chat.complete(request, signal, { now, weights: model.name }),
    close: () => chat.close(),
  };
}
