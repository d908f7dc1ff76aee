import type { ChatCompletion, ChatCompletionRequest } from "@trainyard/inference";
import type { ChatRefusal, Connect, GeneratorPort, Question, Answer } from "./generator-protocol.ts";

/** The result of a chat request: a completion, a stream of frames, or a refusal. */
export type TinyAnswer =
  | { readonly completion: ChatCompletion }
  | { readonly stream: ReadableStream<Uint8Array> }
  | ChatRefusal;

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** The tiny model. It starts with the first request. A stream is generated only as far as it is read. */
export class TinyChat {
  readonly #connect: Connect;
  readonly #waiting = new Map<number, Waiting>();
  #port: GeneratorPort | undefined;
  #count = 0;

  /** @param connect starts the generator: `inThread()` */
  constructor(connect: Connect) {
    this.#connect = connect;
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
    signal.throwIfAborted();
    const id = ++this.#count;
    const end = () => {
      this.#send({ id, kind: "end" });
      this.#settle(id)?.reject(signal.reason instanceof Error ? signal.reason : new Error("The request was canceled."));
    };
    signal.addEventListener("abort", end, { once: true });
    try {
      const answer = await this.#ask({ id, kind: "ask", request, now, weights });
      if ("isStream" in answer) return { stream: this.#stream(id, signal, end) };
      if ("refusal" in answer) return answer.refusal;
      if ("completion" in answer) return answer;
      throw new Error("error" in answer ? answer.error : "The tiny model answered out of turn.");
    } finally {
      signal.removeEventListener("abort", end);
    }
  }

  /** Stops the generator. Open requests fail. */
  async close(): Promise<void> {
    await this.#port?.terminate();
  }

  #stream(id: number, signal: AbortSignal, end: () => void): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    signal.addEventListener("abort", end, { once: true });
    const finish = () => signal.removeEventListener("abort", end);
    return new ReadableStream(
      {
        pull: async (controller) => {
          const answer = await this.#ask({ id, kind: "more" });
          if (!("frames" in answer)) throw new Error("error" in answer ? answer.error : "The stream broke off.");
          controller.enqueue(encoder.encode(answer.frames));
          if (!answer.isEnd) return;
          finish();
          controller.close();
        },
        cancel: () => {
          finish();
          this.#send({ id, kind: "end" });
        },
      },
      { highWaterMark: 0 },
    );
  }

  #ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(question.id, { resolve, reject });
      this.#send(question);
    });
  }

  #send(question: Question): void {
    this.#port ??= this.#start();
    // Keeps the process alive while a request is waiting.
    if (this.#waiting.size > 0) this.#port.ref();
    this.#port.postMessage(question);
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#port?.unref();
    return waiting;
  }

  #start(): GeneratorPort {
    const port = this.#connect(
      ({ id, ...answer }) => this.#settle(id)?.resolve(answer),
      (error) => {
        if (this.#port === port) this.#port = undefined;
        for (const id of this.#waiting.keys()) this.#settle(id)?.reject(error);
      },
    );
    return port;
  }
}
