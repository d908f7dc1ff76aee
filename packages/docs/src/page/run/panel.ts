import { part } from "./part.ts";
import { Requests } from "./requests.ts";

export interface PanelActions {
  run(): void;
  stop(): void;
  startOver(): void;
}

/** The panel below a sample: its buttons, its output, its requests. The sample above it becomes an editor. */
export class Panel {
  readonly #editor: HTMLElement;
  /** The editor as it was at first. */
  readonly #first: Node;
  readonly #button: HTMLButtonElement;
  readonly #status: HTMLElement;
  readonly #body: HTMLElement;
  #prints: HTMLElement | undefined;
  #requests: Requests | undefined;
  #isRunning = false;
  #began = 0;

  constructor(element: HTMLElement, actions: PanelActions) {
    const button = element.querySelector("button");
    if (button === null) throw new Error("There is no button to run the sample.");
    this.#button = button;
    const bar = part(element, "div", "run-bar");
    bar.append(button);
    const startOver = part(bar, "button", button.className, "Start over");
    startOver.type = "button";
    startOver.addEventListener("click", () => actions.startOver());
    this.#status = part(bar, "span", "run-status");
    this.#status.role = "status";
    this.#body = part(element, "div", "run-body");
    this.#editor = editorOf(element);
    this.#first = this.#editor.cloneNode(true);
    button.addEventListener("click", () => (this.#isRunning ? actions.stop() : actions.run()));
  }

  /** The text of the sample, if it was edited. */
  get edited(): { readonly text?: string } {
    return this.#editor.textContent === this.#first.textContent ? {} : { text: this.#editor.innerText };
  }

  get requests(): Requests {
    this.#requests ??= new Requests(this.#body);
    return this.#requests;
  }

  begins(sentence: string): void {
    this.#isRunning = true;
    this.#began = performance.now();
    this.#clear();
    this.#button.textContent = "Stop";
    this.says(`${sentence} …`);
  }

  startsOver(): void {
    this.#editor.replaceChildren(...this.#first.cloneNode(true).childNodes);
    this.#editor.dispatchEvent(new Event("input"));
    this.#clear();
    this.ends("The sample and the services are as they were at first.", false);
  }

  #clear(): void {
    this.#body.replaceChildren();
    this.#prints = undefined;
    this.#requests = undefined;
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
    part(this.#prints, "span", isError ? "bad" : "", text);
  }

  ends(sentence: string | undefined, isError: boolean): void {
    this.#isRunning = false;
    this.#button.textContent = "Run again";
    const seconds = (performance.now() - this.#began) / 1000;
    this.says(sentence ?? `Done in ${seconds < 0.1 ? seconds.toFixed(2) : seconds.toFixed(1)} s`, isError);
  }
}

/** Lets the code above a panel be edited where it is, so that it keeps its colors. */
function editorOf(panel: HTMLElement): HTMLElement {
  const block = panel.previousElementSibling;
  const [editor = document.createElement("div"), ...lines] =
    block?.querySelectorAll<HTMLElement>(".ec-line .code") ?? [];
  // Each line had an element of its own, where one text has line breaks.
  for (const line of lines) {
    editor.append("\n", ...(line.textContent === "\n" ? [] : line.childNodes));
    line.closest(".ec-line")?.remove();
  }
  Object.assign(editor, { className: "code run-editor", contentEditable: "plaintext-only", role: "textbox" });
  Object.assign(editor, { ariaMultiLine: "true", ariaLabel: "Sample, which you can edit", spellcheck: false });
  editor.autocapitalize = "off";
  // The button that copies the code has its text, whose lines end with the character 127.
  const copy = block?.querySelector<HTMLElement>("[data-code]");
  editor.addEventListener("input", () => {
    if (copy) copy.dataset["code"] = editor.innerText.replaceAll("\n", "\u007F");
  });
  return editor;
}
