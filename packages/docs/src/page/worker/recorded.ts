import type { RequestMessage } from "../protocol.ts";

/** How many characters of a body are reported, because nobody reads more. */
const most = 100_000;

type Post = (message: RequestMessage) => void;

/**
 * Wraps `fetch`, and reports each request and its response, part by part as it arrives.
 *
 * @param ready what a request waits for before it counts as sent
 */
export function recorded(
  answer: (request: Request) => Promise<Response>,
  post: Post,
  ready: (request: Request, body: string) => Promise<unknown> = async () => undefined,
): typeof globalThis.fetch {
  let count = 0;
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const { pathname, search } = new URL(request.url);
    const body = await request.clone().text();
    await ready(request, body);
    const id = ++count;
    post({ kind: "request", id, method: request.method, path: pathname + search, body: body.slice(0, most) });
    const start = performance.now();
    const end = () => post({ kind: "end", id, milliseconds: performance.now() - start });
    let response: Response;
    try {
      response = await answer(request);
    } catch (error) {
      end();
      throw error;
    }
    const { status, headers } = response;
    const isStream = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    post({ kind: "answer", id, status, isStream });
    if (response.body === null) {
      end();
      return response;
    }
    const decoder = new TextDecoder();
    let posted = 0;
    const watched = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          const text = decoder.decode(chunk, { stream: true });
          if (posted < most) post({ kind: "part", id, text: text.slice(0, most - posted) });
          posted += text.length;
          controller.enqueue(chunk);
        },
        flush: end,
      }),
    );
    return new Response(watched, { status, statusText: response.statusText, headers });
  };
}
