import type { LearnSettings } from "../protocol.ts";

export interface ControlActions {
  start(): void;
  stop(): void;
  changed(): void;
}

/** The form: the reward, the sliders, and the start and stop buttons. */
export class Controls {
  readonly #form: HTMLFormElement;
  readonly #button: HTMLButtonElement;
  /** The status text. Changing the text of a node costs a browser less than replacing the node. */
  readonly #status = document.createTextNode("");
  readonly #actions: ControlActions;
  #isRunning = false;
  #starts = 0;

  constructor(element: HTMLElement, actions: ControlActions) {
    const [form, button, status] = [
      element.querySelector("form"),
      element.querySelector("button"),
      element.querySelector<HTMLElement>(".status"),
    ];
    if (form === null || button === null || status === null)
      throw new Error("The form lacks its button or its status.");
    [this.#form, this.#button, this.#actions] = [form, button, actions];
    status.append(this.#status);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.run();
    });
    form.addEventListener("input", () => actions.changed());
  }

  get settings(): LearnSettings {
    const chosen = this.#form.querySelector<HTMLInputElement>("[name=task]:checked");
    return {
      task: chosen?.value ?? "",
      attempts: this.#valueOf("attempts"),
      learningRate: this.#valueOf("rate"),
      kl: this.#valueOf("kl"),
      seed: this.#starts,
    };
  }

  /** Starts a run, or stops the current one. */
  run(): void {
    if (this.#isRunning) this.#actions.stop();
    else this.#actions.start();
  }

  begins(sentence: string): void {
    this.#isRunning = true;
    this.#starts++;
    this.#button.textContent = "Stop";
    this.says(sentence);
    for (const choice of this.#form.querySelectorAll<HTMLInputElement>("[name=task]"))
      choice.disabled = !choice.checked;
  }

  says(sentence: string): void {
    this.#status.data = sentence;
  }

  ends(sentence: string): void {
    this.#isRunning = false;
    this.#button.textContent = "Start again";
    this.says(sentence);
    for (const choice of this.#form.querySelectorAll<HTMLInputElement>("[name=task]")) choice.disabled = false;
  }

  /** The label of a slider, which the page writes beside it. */
  #valueOf(name: string): number {
    const output = this.#form.querySelector<HTMLOutputElement>(`label:has([name=${name}]) output`);
    if (output === null) throw new Error(`There is no slider ${name}.`);
    return Number(output.value);
  }
}
