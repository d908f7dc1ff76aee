import { Worker } from "node:worker_threads";
import type { Refusal } from "@trainyard/host";
import type { ChatCompletion, ChatCompletionRequest } from "@trainyard/inference";
import type { Question, Reply, Told } from "./generator-protocol.ts";

/** What the tiny model answers: a completion, a stream of frames, or why it does not. */
export type TinyAnswer =
  | { readonly completion: ChatCompletion }
  | { readonly stream: ReadableStream<Uint8Array> }
  | Refusal<400 | 404 | 500>;

interface Waiting {
  resolve(told: Told): void;
  reject(error: Error): void;
}

/**
 * The tiny model in a thread of its own, which starts with the first request: whoever asks keeps its own thread for other
 * things. A stream is generated as it is read, and no further.
 */
export class TinyChat {
  readonly #checkpoints: string | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #count = 0;

  /** @param checkpoints the folder in which the local server keeps checkpoints; without it the base model alone answers */
  constructor(checkpoints?: string) {
    this.#checkpoints = checkpoints;
  }

  /**
   * Answers a request that the document of the inference service allows.
   *
   * @param how `now`, the time to answer at in milliseconds; `weights`, the model whose weights answer, where the request names it
   *   otherwise
   * @throws what the signal was aborted with
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
      this.#settle(id)?.reject(signal.reason instanceof Error ? signal.reason : new Error("Nobody waits any more."));
    };
    signal.addEventListener("abort", end, { once: true });
    try {
      const told = await this.#ask({ id, kind: "ask", request, now, weights });
      if ("isStream" in told) return { stream: this.#stream(id, signal, end) };
      if ("refusal" in told) return told.refusal;
      if ("completion" in told) return told;
      throw new Error("error" in told ? told.error : "The thread of the tiny model answered out of turn.");
    } finally {
      signal.removeEventListener("abort", end);
    }
  }

  /** Ends the thread. What is under way fails. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #stream(id: number, signal: AbortSignal, end: () => void): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    signal.addEventListener("abort", end, { once: true });
    const finish = () => signal.removeEventListener("abort", end);
    return new ReadableStream(
      {
        pull: async (controller) => {
          const told = await this.#ask({ id, kind: "more" });
          if (!("frames" in told)) throw new Error("error" in told ? told.error : "The stream broke off.");
          controller.enqueue(encoder.encode(told.frames));
          if (!told.isEnd) return;
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

  #ask(question: Question): Promise<Told> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(question.id, { resolve, reject });
      this.#send(question);
    });
  }

  #send(question: Question): void {
    this.#worker ??= this.#start();
    // While somebody waits, the process stays up.
    if (this.#waiting.size > 0) this.#worker.ref();
    this.#worker.postMessage(question);
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    return waiting;
  }

  #start(): Worker {
    // Beside this file stands the thread's: in the sources as TypeScript, in the package as JavaScript.
    const source = import.meta.url.endsWith(".ts");
    const worker = new Worker(new URL(source ? "./generator-thread.ts" : "./generator-thread.js", import.meta.url), {
      workerData: this.#checkpoints,
      name: "trainyard tiny",
      ...(source && { execArgv: ["--conditions=@trainyard/source", "--disable-warning=ExperimentalWarning"] }),
    });
    worker.unref();
    worker.on("message", ({ id, ...told }: Reply) => this.#settle(id)?.resolve(told));
    const fail = (error: Error) => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const id of this.#waiting.keys()) this.#settle(id)?.reject(error);
    };
    worker.on("error", (cause) => fail(new Error("The thread of the tiny model failed.", { cause })));
    worker.on("exit", () => fail(new Error("The thread of the tiny model has ended.")));
    return worker;
  }
}
