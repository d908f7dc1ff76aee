import type { Chat } from "../chat/chat.ts";
import type { Handlers } from "../http/service-types.ts";

/** The inference service. */
export function inferenceHandlers(chat: Chat): Handlers<"inference"> {
  return {
    "chat.completions.create": (call) => chat.complete(call, 400),
    "models.list": async ({ owner: entity, signal }) => {
      const data = await chat.list(entity, signal);
      return "refusal" in data ? data : { status: 200, body: { object: "list", data } };
    },
    "models.retrieve": ({ owner, path, signal }) => chat.retrieve(owner, path.model, signal),
  };
}
