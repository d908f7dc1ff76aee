import { notLoaded, type FromWorker, type ToWorker } from "./protocol.ts";

/** Receives the messages of the worker. */
export interface SessionListener {
  onMessage(message: FromWorker): void;
  /** The worker has ended unexpectedly. The next one starts with a fresh state. */
  died(reason: string): void;
}

/** How long a working worker may be silent, in milliseconds. It reports every second. */
const silence = 10_000;

/** A worker of a page, in a frame with a policy of its own. If it dies, the next request starts another one. */
export class Session {
  readonly #home: string;
  readonly #listener: SessionListener;
  #frame: HTMLIFrameElement | undefined;
  #port: Promise<MessagePort> | undefined;
  #heard = 0;
  #watch: ReturnType<typeof setInterval> | undefined;

  /** @param home the address of the worker's files */
  constructor(home: string, listener: SessionListener) {
    this.#home = home;
    this.#listener = listener;
    addEventListener("message", this.#onMessage);
  }

  /** Whether a worker exists. */
  get isUp(): boolean {
    return this.#frame !== undefined;
  }

  async send(message: ToWorker): Promise<void> {
    this.#port ??= this.#start();
    (await this.#port).postMessage(message);
  }

  /** Ends the worker and deletes its state. */
  stop(): void {
    clearInterval(this.#watch);
    this.#frame?.remove();
    this.#frame = undefined;
    this.#port = undefined;
  }

  #start(): Promise<MessagePort> {
    const frame = document.createElement("iframe");
    frame.hidden = true;
    frame.title = "The worker of this page";
    frame.src = `${this.#home}frame.html`;
    this.#frame = frame;
    return new Promise((resolve) => {
      frame.addEventListener("load", () => {
        // Set by the script of the frame. A frame that could not be loaded has no document, or no script.
        if (frame.contentDocument?.documentElement.dataset["ready"] === undefined) return this.#notLoaded();
        const channel = new MessageChannel();
        channel.port1.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
          this.#heard = performance.now();
          if (this.#frame === frame && data.kind !== "beat") this.#listener.onMessage(data);
        });
        channel.port1.start();
        frame.contentWindow?.postMessage(undefined, location.origin, [channel.port2]);
        this.#heard = performance.now();
        this.#watch = setInterval(() => {
          if (performance.now() - this.#heard > silence) this.#died("The worker did not respond.");
        }, 1000);
        resolve(channel.port1);
      });
      document.body.append(frame);
    });
  }

  readonly #onMessage = ({ source, data }: MessageEvent<unknown>): void => {
    if (this.#frame === undefined || source !== this.#frame.contentWindow) return;
    if (typeof data !== "object" || data === null) return;
    if ("notLoaded" in data) this.#notLoaded();
    if ("died" in data) this.#died(String(data.died));
  };

  #notLoaded(): void {
    this.stop();
    this.#listener.onMessage({ kind: "done", error: notLoaded });
  }

  #died(reason: string): void {
    this.stop();
    this.#listener.died(reason);
  }
}
