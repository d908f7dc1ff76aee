/**
 * Modules that run in a thread. Their caller has a `Thread`; they call `answerQuestions`.
 *
 * @module
 */
import { parentPort, receiveMessageOnPort, Worker, type Transferable } from "node:worker_threads";
import { ThreadEnd } from "./answer.ts";

export { Turns } from "./turns.ts";

/** Options of a thread. */
export interface ThreadOptions<Q = never> {
  /** Names the thread in errors and in process listings. */
  readonly name: string;
  /** Calls `answerQuestions`. */
  readonly module: URL;
  /** The `workerData` of the module. */
  readonly data?: unknown;
  /**
   * A sentence about what a crash loses. After one, such a thread answers nothing more, because it would have forgotten what
   * it confirmed.
   */
  readonly loses?: string;
  /** Is called when the thread has ended by an error, or was replaced. */
  readonly crashed?: ((end: ThreadEnd) => void) | undefined;
  /**
   * Watches the thread while questions wait: returns the operation of a question, and how long the thread may give no sign of life
   * with it. Then it is replaced, and what waited fails. Without it, the thread may take any time.
   */
  readonly watch?: (question: Q) => Watched;
}

/** What is known about a question in a thread that is watched. */
interface Watched {
  readonly operation: string;
  readonly seconds: number;
}

/** A thread that ends this often within a minute ends the process: each start would only repeat the error. */
const mostEnds = 5;

/** Options of a question. */
export interface AskOptions {
  /** Moved to the thread: the caller must not use them afterwards. */
  readonly transfer?: readonly Transferable[] | undefined;
  /** Withdraws the question, and ends a streamed answer. */
  readonly signal?: AbortSignal | undefined;
}

/** A question in its thread. */
export class Asked {
  #ending: AbortController | undefined;
  /** What the answer moves to the caller. */
  readonly transfer: Transferable[] = [];
  /** The answer, if it is streamed. */
  stream: AsyncIterator<unknown> | undefined;

  /** Aborts when the caller withdraws the question. Few answers need it, and creating one costs more than a small answer. */
  get ending(): AbortController {
    return (this.#ending ??= new AbortController());
  }
}

type Message =
  | { readonly id: number; readonly kind: "ask"; readonly question: unknown }
  /** Requests the next part of a streamed answer. */
  | { readonly id: number; readonly kind: "next" }
  /** Requests a sign of life. */
  | { readonly id: number; readonly kind: "ping" }
  | { readonly id: number; readonly kind: "end" };

/** An answer, or a part of one that is streamed; the first reply of a stream has none. */
interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly isStream?: boolean;
  readonly error?: unknown;
}

interface Waiting {
  readonly watched: Watched | undefined;
  resolve(reply: Reply): void;
  reject(error: unknown): void;
}

/** What a streamed answer needs of its question. */
interface Streamed {
  readonly watched: Watched | undefined;
  readonly worker: Worker | undefined;
  readonly signal: AbortSignal | undefined;
  readonly withdraw: () => void;
}

/** The module at a path without its extension: TypeScript in the sources, JavaScript in the package. */
export function moduleAt(path: string, from: string): URL {
  return new URL(`${path}${from.endsWith(".ts") ? ".ts" : ".js"}`, from);
}

/**
 * A module in a thread of its own. The first question starts it. If it crashes, its questions fail, and the next one starts it
 * again. It keeps the process alive only while a question waits. A fifth crash within a minute is an error that nobody catches.
 * A thread that is watched and gives no sign of life is replaced, however often: a question can cause that, and no question may end
 * the process.
 */
export class Thread<Q, A> {
  readonly #options: ThreadOptions<Q>;
  /**
   * What waits for an answer, by its number. With a map, answers stayed in memory until V8 collected the whole heap, as measured
   * under load.
   */
  readonly #waiting: Record<number, Waiting> = {};
  #waits = 0;
  #worker: Worker | undefined;
  #unsent: Message[] = [];
  #transfer: Transferable[] = [];
  #count = 0;
  /** Why no more questions are answered. */
  #failure: ThreadEnd | undefined;
  /** When the last crashes happened, oldest first. */
  #ends: number[] = [];
  /** Seconds since the last sign of life, as this thread's timer counts them: while this process sleeps, the other one does, too. */
  #silence = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Whether its module has been loaded, which may take long on a busy machine. */
  #isReady = false;

  constructor(options: ThreadOptions<Q>) {
    this.#options = options;
  }

  /** Whether it answers questions. */
  get isOpen(): boolean {
    return this.#failure === undefined;
  }

  /** @throws Error while it gives no sign of life, after a fifth of the time that the questions that wait allow */
  check(): void {
    if (this.#waits > 0 && this.#silence * 5 > this.#patience)
      throw new Error(`The thread "${this.#options.name}" has given no sign of life for ${this.#silence} s.`);
  }

  /**
   * Asks a question. An answer that is an async iterator is generated only as far as it is read.
   *
   * @throws what the answer throws; `ThreadEnd` if the thread crashes; the reason of the signal
   */
  async ask(question: Q, { transfer, signal }: AskOptions = {}): Promise<A> {
    signal?.throwIfAborted();
    const id = ++this.#count;
    const withdraw = (): void => {
      signal?.removeEventListener("abort", withdraw);
      this.#post({ id, kind: "end" });
      this.#take(id)?.reject(signal?.reason);
    };
    signal?.addEventListener("abort", withdraw);
    const watched = this.#options.watch?.(question);
    let isStream: boolean | undefined;
    try {
      const reply = await this.#request({ id, kind: "ask", question }, watched, transfer);
      ({ isStream } = reply);
      // Only the thread's module knows the types of its questions and answers.
      const { result } = reply;
      return (isStream === true ? this.#stream(id, { worker: this.#worker, watched, signal, withdraw }) : result) as A;
    } finally {
      if (isStream !== true) signal?.removeEventListener("abort", withdraw);
    }
  }

  /** Ends the thread at once. Questions that wait fail. */
  async close(): Promise<void> {
    this.#failure ??= this.#ended("it was closed.");
    await this.#worker?.terminate();
  }

  async *#stream(id: number, { worker, watched, signal, withdraw }: Streamed): AsyncGenerator {
    try {
      for (;;) {
        signal?.throwIfAborted();
        if (this.#worker !== worker) throw this.#ended("it crashed during this answer.");
        const part = (await this.#request({ id, kind: "next" }, watched)).result as IteratorResult<unknown>;
        if (part.done === true) return;
        yield part.value;
      }
    } finally {
      withdraw();
    }
  }

  #request(message: Message, watched: Watched | undefined, transfer: readonly Transferable[] = []): Promise<Reply> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#worker ??= this.#start();
      this.#waiting[message.id] = { watched, resolve, reject };
      if (++this.#waits === 1) this.#worker.ref();
      if (watched !== undefined) this.#timer ??= setInterval(() => this.#look(), 1000).unref();
      this.#transfer.push(...transfer);
      this.#post(message);
    });
  }

  /** Messages of one turn are sent together, because sending costs more than most answers. */
  #post(message: Message): void {
    if (this.#unsent.push(message) > 1) return;
    setImmediate(() => {
      const [messages, transfer] = [this.#unsent, this.#transfer];
      [this.#unsent, this.#transfer] = [[], []];
      try {
        this.#worker?.postMessage(messages, transfer);
      } catch (error) {
        for (const { id } of messages) this.#take(id)?.reject(error);
      }
    });
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting[id];
    if (waiting === undefined) return undefined;
    delete this.#waiting[id];
    if (--this.#waits === 0) this.#worker?.unref();
    return waiting;
  }

  #start(): Worker {
    const { name, module, data, loses } = this.#options;
    const worker = new Worker(module, {
      name,
      workerData: data,
      ...(module.pathname.endsWith(".ts") && {
        execArgv: ["--conditions=@trainyard/source", "--disable-warning=ExperimentalWarning"],
      }),
    });
    worker.unref();
    this.#isReady = false;
    worker.on("message", (replies: Reply[]) => {
      // One that was replaced may have sent it before its end.
      if (this.#worker !== worker) return;
      this.#isReady = true;
      this.#silence = 0;
      for (const reply of replies) {
        if ("error" in reply) this.#take(reply.id)?.reject(reply.error);
        else this.#take(reply.id)?.resolve(reply);
      }
    });
    let cause: unknown;
    worker.on("error", (error) => (cause = error));
    // An error is followed by the exit. Only then is everything released that the next thread opens, such as a file.
    worker.on("exit", (code) => {
      // It may have been replaced.
      if (this.#worker !== worker) return;
      const wasClosed = this.#failure !== undefined;
      const reason = cause instanceof Error ? cause.message : `it exited with code ${code}.`;
      const error = this.#failure ?? this.#ended(reason, { cause, loses });
      if (loses !== undefined) this.#failure = error;
      this.#forget(error);
      if (!wasClosed) this.#crashed(error);
    });
    return worker;
  }

  /** Gives up the worker, and what waits for it. */
  #forget(error: ThreadEnd): void {
    this.#worker = undefined;
    this.#silence = 0;
    [this.#unsent, this.#transfer] = [[], []];
    for (const id of Object.keys(this.#waiting)) this.#take(Number(id))?.reject(error);
  }

  /** How many seconds the thread may give no sign of life with the questions that wait. */
  get #patience(): number {
    return Math.max(...Object.values(this.#waiting).map(({ watched }) => watched?.seconds ?? 0));
  }

  /** Looks once a second whether the thread lives. */
  #look(): void {
    const worker = this.#worker;
    if (worker === undefined || this.#waits === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#silence = 0;
      return;
    }
    if (!this.#isReady) return;
    const most = this.#patience;
    if (this.#silence++ < most) {
      worker.postMessage([{ id: 0, kind: "ping" } satisfies Message]);
      return;
    }
    const waiting = Object.values(this.#waiting).flatMap(({ watched }) => watched?.operation ?? []);
    const operations = [...new Set(waiting)].join(", ");
    const end = this.#ended(`it gave no sign of life for ${Math.floor(most)} s during ${operations}.`);
    this.#forget(end);
    void worker.terminate();
    this.#options.crashed?.(end);
  }

  #crashed(end: ThreadEnd): void {
    const now = performance.now();
    this.#ends = [...this.#ends.filter((at) => at > now - 60_000), now];
    this.#options.crashed?.(end);
    if (this.#ends.length < mostEnds) return;
    throw new Error(`${end.message} This happened ${mostEnds} times within a minute, so the process ends.`, {
      cause: end,
    });
  }

  #ended(reason: string, details?: ConstructorParameters<typeof ThreadEnd>[2]): ThreadEnd {
    return new ThreadEnd(this.#options.name, reason, details);
  }
}

/**
 * Answers the questions to this thread. An answer that is an async iterator is streamed; it ends when `ending` aborts. Answers
 * that are ready together are sent together.
 *
 * @returns a function that takes the questions that are waiting, without a turn of the event loop
 */
export function answerQuestions(answer: (question: never, asked: Asked) => unknown): () => void {
  if (parentPort === null) throw new Error("This module must run in a thread.");
  const port = parentPort;
  const open = new Map<number, Asked>();
  let replies: Reply[] = [];
  let moved: Transferable[] = [];

  function reply(one: Reply, transfer: readonly Transferable[] = []): void {
    moved.push(...transfer);
    if (replies.push(one) > 1) return;
    queueMicrotask(() => {
      const [ready, buffers] = [replies, moved];
      [replies, moved] = [[], []];
      try {
        port.postMessage(ready, buffers);
      } catch (error) {
        // One of them cannot be sent: it contains a function, for example.
        port.postMessage(ready.map(({ id }) => ({ id, error: new Error(String(error)) })));
      }
    });
  }

  async function take(message: Message): Promise<void> {
    const { id, kind } = message;
    const asked = open.get(id) ?? new Asked();
    open.set(id, asked);
    try {
      if (kind === "end") asked.ending.abort();
      if (kind === "next") return reply({ id, result: await asked.stream?.next() });
      if (kind === "ask") {
        const result = await answer(message.question as never, asked);
        if (isIterator(result)) {
          asked.stream = result;
          return reply({ id, isStream: true });
        }
        reply({ id, result }, asked.transfer);
      }
    } catch (error) {
      reply({ id, error });
    }
    open.delete(id);
  }

  const takeAll = (messages: readonly Message[]): void => {
    for (const message of messages) {
      if (message.kind === "ping") port.postMessage([]);
      else void take(message);
    }
  };
  port.on("message", takeAll);
  port.postMessage([]);
  return () => {
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      takeAll(next.message);
    }
  };
}

function isIterator(answer: unknown): answer is AsyncIterator<unknown> {
  return typeof answer === "object" && answer !== null && Symbol.asyncIterator in answer;
}
