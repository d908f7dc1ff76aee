import type { LearnSettings } from "./settings.ts";

export interface ControlActions {
  start(): void;
  stop(): void;
  changed(): void;
}

/** The form: the reward, the sliders, and what starts and stops. */
export class Controls {
  readonly #form: HTMLFormElement;
  readonly #button: HTMLButtonElement;
  /** What is said: a text that changes makes a browser look at less than one that is replaced. */
  readonly #said = document.createTextNode("");
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
    status.append(this.#said);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.run();
    });
    form.addEventListener("input", ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      if (target.name === "task") this.#choose(target);
      else this.#write(target);
      actions.changed();
    });
  }

  get settings(): LearnSettings {
    const chosen = this.#form.querySelector<HTMLInputElement>("[name=task]:checked");
    return {
      task: chosen?.value ?? "",
      attempts: Number(this.#slider("attempts").value),
      learningRate: Number(valueOf(this.#slider("rate"))),
      kl: Number(this.#slider("kl").value),
      seed: this.#starts,
    };
  }

  /** Starts, or stops what runs. */
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
    this.#said.data = sentence;
  }

  ends(sentence: string): void {
    this.#isRunning = false;
    this.#button.textContent = "Start again";
    this.says(sentence);
    for (const choice of this.#form.querySelectorAll<HTMLInputElement>("[name=task]")) choice.disabled = false;
  }

  #slider(name: string): HTMLInputElement {
    const slider = this.#form.elements.namedItem(name);
    if (!(slider instanceof HTMLInputElement)) throw new Error(`There is no slider ${name}.`);
    return slider;
  }

  /** Each task has values that suit it, and one of them has no rewards to train on. */
  #choose({ dataset }: HTMLInputElement): void {
    for (const name of ["attempts", "rate", "kl"]) {
      const slider = this.#slider(name);
      slider.value = dataset[name] ?? slider.value;
      this.#write(slider);
    }
    for (const name of ["rate", "kl"]) this.#slider(name).disabled = dataset["rl"] !== "true";
  }

  #write(slider: HTMLInputElement): void {
    const output = slider.closest("label")?.querySelector("output");
    const value = valueOf(slider);
    if (output) output.textContent = value;
    if (slider.dataset["values"] !== undefined) slider.ariaValueText = value;
  }
}

/** What a slider says: its number, or that of its values. */
function valueOf({ value, dataset }: HTMLInputElement): string {
  return dataset["values"]?.split(" ")[Number(value)] ?? value;
}
