import type { ChatCompletion, ChatCompletionRequest } from "@trainyard/inference";
import type { ChatRefusal, Generator } from "./generator.ts";

/** The result of a chat request: a completion, a stream of frames, or a refusal. */
export type TinyAnswer =
  | { readonly completion: ChatCompletion }
  | { readonly stream: ReadableStream<Uint8Array> }
  | ChatRefusal;

/** The tiny model. A stream is generated only as far as it is read. */
export class TinyChat {
  readonly #generator: Generator;

  /** @param generator `inThread()` */
  constructor(generator: Generator) {
    this.#generator = generator;
  }

  /**
   * Handles a request that the document of the inference service allows.
   *
   * @param how `now`, the time to answer at in milliseconds; `weights`, the model whose weights answer, where the request names it
   *   otherwise
   * @throws the reason of the aborted signal
   */
  async complete(
    request: ChatCompletionRequest,
    signal: AbortSignal,
    { now = Date.now(), weights = request.model }: { readonly now?: number; readonly weights?: string } = {},
  ): Promise<TinyAnswer> {
    const answer = await this.#generator.ask({ request, now, weights }, { signal });
    return Symbol.asyncIterator in answer ? { stream: streamOf(answer) } : answer;
  }

  /** @throws Error while the generator gives no sign of life */
  check(): void {
    this.#generator.check();
  }

  /** Stops the generator. Open requests fail. */
  close(): Promise<void> {
    return this.#generator.close();
  }
}

function streamOf(frames: AsyncGenerator<string, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await frames.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: async () => void (await frames.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}
