import { part } from "./part.ts";
import { Requests } from "./requests.ts";

export interface PanelActions {
  run(): void;
  stop(): void;
  startOver(): void;
}

/** The panel below a sample: its buttons, its output, its requests. The sample above it becomes an editor. */
export class Panel {
  readonly #editor: HTMLTextAreaElement;
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
    button.addEventListener("click", () => (this.#isRunning ? actions.stop() : actions.run()));
  }

  /** The text of the sample, if it was edited. */
  get edited(): { readonly text?: string } {
    const { value, defaultValue } = this.#editor;
    return value === defaultValue ? {} : { text: value };
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
    this.#editor.value = this.#editor.defaultValue;
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

/** Replaces the code above a panel by a text area with the same text. */
function editorOf(panel: HTMLElement): HTMLTextAreaElement {
  const block = panel.previousElementSibling;
  // The button that copies the code has its text, whose lines end with the character 127.
  const copy = block?.querySelector<HTMLElement>("[data-code]");
  const editor = document.createElement("textarea");
  Object.assign(editor, { className: "run-editor", ariaLabel: "Sample, which you can edit", wrap: "off" });
  Object.assign(editor, { spellcheck: false, autocapitalize: "off" });
  editor.defaultValue = copy?.dataset["code"]?.replaceAll("\u007F", "\n") ?? "";
  const follow = () => {
    editor.rows = editor.value.split("\n").length;
    if (copy) copy.dataset["code"] = editor.value.replaceAll("\n", "\u007F");
  };
  follow();
  editor.addEventListener("input", follow);
  block?.querySelector("pre")?.replaceWith(editor);
  return editor;
}
