import { Worker } from "node:worker_threads";
import { StoreRefusal } from "./refusal.ts";
import { StorageFault } from "./storage-fault.ts";
import type { Reply, Request, Table } from "./protocol.ts";

/** A request before it has a number. */
type Command<C extends Table<C>, K extends keyof C> = Omit<Request<C>, "id" | "name" | "input"> & {
  readonly name: K;
  readonly input: Parameters<C[K]>[1];
};

/** A module that runs in a thread. Its address is without the ending: in the sources it is TypeScript, in the package JavaScript. */
interface ThreadModule {
  readonly module: URL;
  /** What people see who look at the process. */
  readonly name: string;
  readonly data: unknown;
  /** Is told of each command that failed for its storage. */
  readonly storageFailed?: (fault: StorageFault) => void;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** The near side of a thread that is asked by commands. */
export class ThreadClient<C extends Table<C>> {
  readonly #worker: Worker;
  readonly #name: string;
  readonly #storageFailed: ThreadModule["storageFailed"];
  readonly #waiting = new Map<number, Waiting>();
  #unsent: Request<C>[] = [];
  #buffers: ArrayBuffer[] = [];
  #count = 0;
  #failure: Error | undefined;
  readonly #exit: Promise<void>;

  constructor({ module, name, data, storageFailed }: ThreadModule) {
    this.#name = name;
    this.#storageFailed = storageFailed;
    const source = import.meta.url.endsWith(".ts");
    this.#worker = new Worker(new URL(`${module.href}${source ? ".ts" : ".js"}`), {
      workerData: data,
      name,
      ...(source && { execArgv: ["--conditions=@trainyard/source", "--disable-warning=ExperimentalWarning"] }),
    });
    // A thread alone keeps no process alive.
    this.#worker.unref();
    this.#worker.on("message", (replies: Reply[]) => this.#settle(replies));
    this.#worker.on("error", (error: Error) => this.#fail(error));
    this.#exit = new Promise((resolve) => {
      this.#worker.on("exit", () => {
        this.#fail(new Error(`The ${name} is closed.`));
        resolve();
      });
    });
  }

  /** @param buffers are handed over: nobody else may read them any more */
  call<K extends keyof C>(command: Command<C, K>, buffers: readonly ArrayBuffer[] = []): Promise<ReturnType<C[K]>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const request: Request<C> = { id: ++this.#count, ...command };
    return new Promise((resolve, reject) => {
      // The reply of a command is what the command returned: only its name travels, so its type cannot.
      this.#waiting.set(request.id, { resolve: (result) => resolve(result as ReturnType<C[K]>), reject });
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
      if ("error" in reply) waiting?.reject(new Error(`The ${this.#name} failed: ${reply.error}`));
      else if ("refusal" in reply) waiting?.reject(new StoreRefusal(reply.refusal));
      else if ("storage" in reply) {
        const fault = new StorageFault(reply.storage);
        this.#storageFailed?.(fault);
        waiting?.reject(fault);
      } else waiting?.resolve(reply.result);
    }
    if (this.#waiting.size === 0) this.#worker.unref();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure);
    this.#waiting.clear();
  }
}
