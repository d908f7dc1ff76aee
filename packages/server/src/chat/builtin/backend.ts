import { BackendError, type ChatBackend, type ChatCall } from "../backend.ts";
import { answerOf } from "./answer.ts";

/** The base model that is always there. */
export const builtinModel = "demo/tiny";

/**
 * A backend that needs nothing installed. What it says makes no sense; how it says it is exact: token counts, logprobs,
 * `stop`, `max_tokens`, `n`, `seed`. The same request gets the same words.
 */
export function builtinBackend(): ChatBackend {
  return {
    models: async () => [{ id: builtinModel, object: "model", created: 0, owned_by: "trainyard", root: builtinModel }],
    check: async () => undefined,
    complete: async (call) => {
      if (call.model.name !== builtinModel) {
        throw new BackendError(
          "unknown-model",
          `There is no model ${call.model.name} here. There is: ${builtinModel}.`,
        );
      }
      refuseWhatIsBeyond(call);
      const { completion, chunks } = await answerOf(call);
      return call.request.stream === true ? { stream: framesOf(chunks) } : { completion };
    },
  };
}

function refuseWhatIsBeyond({ request }: ChatCall): void {
  if (request.response_format?.type !== "json_schema") return;
  const cure = "Serve a model that can with --upstream <url>.";
  throw new BackendError("invalid", `The built-in model cannot keep to a schema. ${cure}`, {
    param: "response_format",
  });
}

/** Chunks as server-sent events, each when it is read. */
function framesOf(chunks: readonly object[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = 0;
  return new ReadableStream({
    pull: (controller) => {
      const chunk = chunks[next++];
      controller.enqueue(encoder.encode(`data: ${chunk === undefined ? "[DONE]" : JSON.stringify(chunk)}\n\n`));
      if (chunk === undefined) controller.close();
    },
  });
}
