import { Worker } from "node:worker_threads";
import { StoreRefusal } from "./refusal.ts";
import type { CommandName, Input, Reply, Request, Result, ThreadData } from "./protocol.ts";

/** A request before it has a number. */
type Command<K extends CommandName> = Omit<Request, "id" | "name" | "input"> & {
  readonly name: K;
  readonly input: Input<K>;
};

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** The near side of one thread of the store. */
export class ThreadClient {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #unsent: Request[] = [];
  #buffers: ArrayBuffer[] = [];
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

  /** @param buffers are handed over: nobody else may read them any more */
  call<K extends CommandName>(command: Command<K>, buffers: readonly ArrayBuffer[] = []): Promise<Result<K>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const request: Request = { id: ++this.#count, ...command };
    return new Promise((resolve, reject) => {
      // The reply of a command is what the command returned: only its name travels, so its type cannot.
      this.#waiting.set(request.id, { resolve: (result) => resolve(result as Result<K>), reject });
      if (this.#waiting.size === 1) this.#worker.ref();
      // What comes in one turn goes over together: a message costs more than most requests.
      if (this.#unsent.push(request) === 1) setImmediate(() => this.#send());
      this.#buffers.push(...buffers);
    });
  }

  /** Ends the thread after it has done what it was asked before. */
  async close(): Promise<void> {
    this.#send();
    this.#worker.ref();
    this.#worker.postMessage(null);
    await this.#exit;
  }

  #send(): void {
    if (this.#unsent.length === 0) return;
    const [requests, buffers] = [this.#unsent, this.#buffers];
    [this.#unsent, this.#buffers] = [[], []];
    try {
      this.#worker.postMessage(requests, buffers);
    } catch (error) {
      this.#settle(requests.map(({ id }) => ({ id, error: String(error) })));
    }
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
