import { Worker } from "node:worker_threads";
import { StoreRefusal } from "./refusal.ts";
import { StorageFault } from "./storage-fault.ts";
import type { Reply, Request, Table } from "./protocol.ts";

/** A request before it has a number. */
type Command<C extends Table<C>, K extends keyof C> = Omit<Request<C>, "id" | "name" | "input"> & {
  readonly name: K;
  readonly input: Parameters<C[K]>[1];
};

/**
 * The path of a module that runs in a thread, without its extension: TypeScript in the sources, JavaScript in the
 * package.
 */
interface ThreadModule {
  readonly module: URL;
  /** The name of the thread in process listings. */
  readonly name: string;
  readonly data: unknown;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** The caller's side of a thread that runs commands. */
export class ThreadClient<C extends Table<C>> {
  readonly #worker: Worker;
  readonly #name: string;
  /** Receives the storage fault of each command that failed for one. */
  storageFailed: ((fault: StorageFault) => void) | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #unsent: Request<C>[] = [];
  #buffers: ArrayBuffer[] = [];
  #count = 0;
  #failure: Error | undefined;
  readonly #exit: Promise<void>;

  constructor({ module, name, data }: ThreadModule) {
    this.#name = name;
    const source = import.meta.url.endsWith(".ts");
    this.#worker = new Worker(new URL(`${module.href}${source ? ".ts" : ".js"}`), {
      workerData: data,
      name,
      ...(source && { execArgv: ["--conditions=@trainyard/source", "--disable-warning=ExperimentalWarning"] }),
    });
    // A thread on its own does not keep the process alive.
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

  /** Whether the thread runs. */
  get isOpen(): boolean {
    return this.#failure === undefined;
  }

  /** @param buffers are transferred: the caller must not read them afterwards */
  call<K extends keyof C>(command: Command<C, K>, buffers: readonly ArrayBuffer[] = []): Promise<ReturnType<C[K]>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const request: Request<C> = { id: ++this.#count, ...command };
    return new Promise((resolve, reject) => {
      // The reply contains what the command returned. Only its name is sent, so the type is lost on the way.
      this.#waiting.set(request.id, { resolve: (result) => resolve(result as ReturnType<C[K]>), reject });
      if (this.#waiting.size === 1) this.#worker.ref();
      // Commands of one turn are sent in one message, which costs more than most commands.
      if (this.#unsent.push(request) === 1) setImmediate(() => this.#send());
      this.#buffers.push(...buffers);
    });
  }

  /** Empties a database in memory after all earlier commands. The caller sends no other command meanwhile. */
  empty(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#send();
    this.#worker.ref();
    this.#worker.postMessage("empty");
    return new Promise((resolve, reject) => {
      this.#waiting.set(0, { resolve: () => resolve(), reject });
    });
  }

  /** Stops the thread after it has finished all earlier commands. */
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
    // Only `empty` is answered with no replies.
    if (replies.length === 0) {
      this.#waiting.get(0)?.resolve(undefined);
      this.#waiting.delete(0);
    }
    for (const reply of replies) {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if ("error" in reply) waiting?.reject(new Error(`The ${this.#name} failed: ${reply.error}`));
      else if ("refusal" in reply) waiting?.reject(new StoreRefusal(reply.refusal));
      else if ("storage" in reply) {
        const fault = new StorageFault(reply.storage);
        this.storageFailed?.(fault);
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
