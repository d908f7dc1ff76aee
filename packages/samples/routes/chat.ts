import {
  ApiError,
  type ChatMessage,
  type InferenceClient,
  TrainyardError,
} from "@trainyard/inference";

/** A route of your server, which hands the stream of a chat on to a browser. */
export function chatRoute(
  inference: InferenceClient,
): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      const { messages } = (await request.json()) as { messages: ChatMessage[] };
      const stream = await inference.chat.completions.create(
        { model: "demo/tiny", messages, stream: true },
        // When the browser leaves, some runtimes abort this signal, others cancel the body.
        { signal: request.signal, accumulate: false },
      );
      return new Response(stream.toEventStream(), {
        headers: {
          "content-type": "text/event-stream",
          "cache-control": "no-cache",
          // Otherwise nginx holds the chunks back.
          "x-accel-buffering": "no",
        },
      });
    } catch (error) {
      // Before the headers: the status of the service, without its message. Anything that the client did not throw is in
      // the request.
      const failed = error instanceof TrainyardError ? 502 : 400;
      const status =
        error instanceof ApiError && error.status >= 400 ? error.status : failed;
      return Response.json(
        { error: { message: `The chat failed (${status}).` } },
        { status },
      );
    }
  };
}
