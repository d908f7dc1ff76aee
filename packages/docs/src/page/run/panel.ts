import { part } from "./part.ts";
import { Requests } from "./requests.ts";

export interface PanelActions {
  run(): void;
  stop(): void;
}

/** The most characters of a program's output that are shown. */
const most = 200_000;

/** The panel below a sample: its buttons, its output, its requests. */
export class Panel {
  readonly #button: HTMLButtonElement;
  readonly #status: HTMLElement;
  readonly #body: HTMLElement;
  readonly #actions: PanelActions;
  #prints: HTMLElement | undefined;
  #requests: Requests | undefined;
  #printed = 0;
  #isRunning = false;
  #began = 0;

  constructor(element: HTMLElement, actions: PanelActions) {
    this.#actions = actions;
    const button = element.querySelector("button");
    if (button === null) throw new Error("There is no button to run the sample.");
    this.#button = button;
    const bar = part(element, "div", "run-bar");
    bar.append(button);
    this.#status = part(bar, "span", "run-status");
    this.#status.role = "status";
    this.#body = part(element, "div", "run-body");
    button.addEventListener("click", () => (this.#isRunning ? this.#actions.stop() : this.#actions.run()));
  }

  get requests(): Requests {
    this.#requests ??= new Requests(this.#body);
    return this.#requests;
  }

  begins(sentence: string): void {
    this.#isRunning = true;
    this.#began = performance.now();
    this.#body.replaceChildren();
    this.#prints = undefined;
    this.#requests = undefined;
    this.#printed = 0;
    this.#button.textContent = "Stop";
    this.says(`${sentence} …`);
  }

  says(sentence: string, isError = false): void {
    this.#status.textContent = sentence;
    this.#status.classList.toggle("bad", isError);
  }

  prints(text: string, isError: boolean): void {
    if (this.#prints === undefined) {
      this.#prints = document.createElement("pre");
      this.#prints.className = "run-prints";
      this.#prints.tabIndex = 0;
      this.#prints.role = "log";
      this.#prints.ariaLabel = "What the sample prints";
      this.#body.prepend(this.#prints);
    }
    if (this.#printed > most) return;
    this.#printed += text.length;
    part(
      this.#prints,
      "span",
      isError ? "bad" : "",
      this.#printed > most ? "\n… It prints more than is shown here." : text,
    );
  }

  ends(sentence: string | undefined, isError: boolean): void {
    this.#isRunning = false;
    this.#button.textContent = "Run again";
    const seconds = (performance.now() - this.#began) / 1000;
    this.says(sentence ?? `Done in ${seconds < 0.1 ? seconds.toFixed(2) : seconds.toFixed(1)} s`, isError);
  }
}
