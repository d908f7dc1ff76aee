import type { FromWorker } from "../protocol.ts";
import type { Session } from "../session.ts";

interface Waiting {
  resolve(response: Response): void;
  reject(error: Error): void;
}

/** Sends what the console reads to the local server in the worker. */
export class Reads {
  readonly #session: Session;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  readonly send = (path: string, { signal }: RequestInit): Promise<Response> => {
    // Reading must not start a worker.
    if (!this.#session.isUp) return Promise.reject(new Error("The services in this page are not running."));
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      signal?.addEventListener("abort", () => {
        this.#waiting.delete(id);
        reject(new DOMException("The read was canceled.", "AbortError"));
      });
      void this.#session.send({ kind: "read", id, path });
    });
  };

  resolve({ id, status, body }: Extract<FromWorker, { kind: "read" }>): void {
    this.#waiting.get(id)?.resolve(new Response(body, { status }));
    this.#waiting.delete(id);
  }

  /** Rejects all waiting reads: the worker has ended. */
  fail(): void {
    for (const waiting of this.#waiting.values()) waiting.reject(new Error("The services in this page ended."));
    this.#waiting.clear();
  }
}
