import { Worker } from "node:worker_threads";
import { StoreRefusal } from "./refusal.ts";
import type { CommandName, Input, Reply, Request, Result, ThreadData } from "./protocol.ts";

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** The near side of one thread of the store. */
export class ThreadClient {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;
  #failure: Error | undefined;
  readonly #exit: Promise<void>;

  constructor(data: ThreadData) {
    // Beside this file stands the thread's: in the sources as TypeScript, in the package as JavaScript.
    const source = import.meta.url.endsWith(".ts");
    this.#worker = new Worker(new URL(source ? "./thread.ts" : "./thread.js", import.meta.url), {
      workerData: data,
      name: "trainyard store",
      ...(source && { execArgv: ["--conditions=@trainyard/source", "--disable-warning=ExperimentalWarning"] }),
    });
    // The store alone keeps no process alive.
    this.#worker.unref();
    this.#worker.on("message", (replies: Reply[]) => this.#settle(replies));
    this.#worker.on("error", (error: Error) => this.#fail(error));
    this.#exit = new Promise((resolve) => {
      this.#worker.on("exit", () => {
        this.#fail(new Error("The store is closed."));
        resolve();
      });
    });
  }

  call<K extends CommandName>(name: K, input: Input<K>, now: number): Promise<Result<K>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const request: Request = { id: ++this.#count, name, input, now };
    return new Promise((resolve, reject) => {
      // The reply of a command is what the command returned: only its name travels, so its type cannot.
      this.#waiting.set(request.id, { resolve: (result) => resolve(result as Result<K>), reject });
      if (this.#waiting.size === 1) this.#worker.ref();
      this.#worker.postMessage(request);
    });
  }

  /** Ends the thread after it has done what it was asked before. */
  async close(): Promise<void> {
    this.#worker.ref();
    this.#worker.postMessage(null);
    await this.#exit;
  }

  #settle(replies: Reply[]): void {
    for (const reply of replies) {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if ("error" in reply) waiting?.reject(new Error(`The store failed: ${reply.error}`));
      else if ("refusal" in reply) waiting?.reject(new StoreRefusal(reply.refusal));
      else waiting?.resolve(reply.result);
    }
    if (this.#waiting.size === 0) this.#worker.unref();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure);
    this.#waiting.clear();
  }
}
