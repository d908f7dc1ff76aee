import type { Told } from "../protocol.ts";
import { part } from "../run/part.ts";

type Rollout = Extract<Told, { kind: "rollout" }>;
type Event = Extract<Told, { kind: "event" }>;

/** How many rollouts are shown: those that came last. */
const most = 24;

/** The live part of the page: rollouts with their rewards, the mean of each round, the events of the job. */
export class Feed {
  readonly #rollouts: HTMLElement;
  readonly #means: HTMLElement;
  readonly #events: HTMLElement;
  readonly #sums: { sum: number; count: number; element: HTMLElement }[] = [];
  /** What has come since the last frame. */
  #new: Rollout[] = [];

  constructor(parent: HTMLElement) {
    const feed = part(parent, "div", "learn-feed");
    this.#means = part(card(feed, "Mean reward by round", "learn-rounds"), "ol", "learn-means");
    this.#rollouts = part(card(feed, "Rollouts, as they come", "learn-rollouts"), "ul", "learn-list");
    this.#events = part(card(feed, "Events of the training jobs", "learn-events"), "ol", "learn-list");
    for (const [list, label] of [
      [this.#rollouts, "Rollouts"],
      [this.#events, "Events"],
    ] as const) {
      list.tabIndex = 0;
      list.ariaLabel = label;
    }
  }

  clear(): void {
    for (const list of [this.#rollouts, this.#means, this.#events]) list.replaceChildren();
    this.#sums.length = 0;
    this.#new = [];
  }

  round(step: number): void {
    const row = part(this.#means, "li");
    part(row, "span", "learn-step", String(step));
    const meter = part(row, "span", "learn-meter");
    part(meter, "i");
    this.#sums[step] = { sum: 0, count: 0, element: row };
    part(row, "span", "learn-mean", "…");
    this.#means.scrollTop = this.#means.scrollHeight;
  }

  rollout(told: Rollout): void {
    // Drawn once a frame, however many come: a round has hundreds.
    if (this.#new.push(told) === 1) requestAnimationFrame(() => this.#draw());
  }

  event({ step, type, data }: Event): void {
    const row = document.createElement("li");
    part(row, "span", "learn-step", String(step + 1));
    part(row, "code", "", type);
    part(row, "span", "learn-data", sentenceOf(data));
    this.#events.prepend(row);
    while (this.#events.childElementCount > most) this.#events.lastElementChild?.remove();
  }

  /** What came of it, in a sentence. */
  result(): string {
    const [first, last] = [meanOf(this.#sums[0]), meanOf(this.#sums.at(-1))];
    return `Done: the mean reward went from ${first.toFixed(2)} to ${last.toFixed(2)}.`;
  }

  #draw(): void {
    const told = this.#new;
    this.#new = [];
    for (const { step, reward } of told) {
      const round = this.#sums[step];
      if (round === undefined) continue;
      round.sum += reward;
      round.count++;
    }
    for (const step of new Set(told.map((one) => one.step))) this.#write(step);
    const rows = told.slice(-most).map(({ prompt, text, reward }) => {
      const row = document.createElement("li");
      const chip = part(row, "span", "learn-reward", reward.toFixed(2));
      chip.style.setProperty("--reward", String(reward));
      part(row, "span", "learn-text", text === "" ? "(nothing)" : text);
      part(row, "small", "", prompt);
      return row;
    });
    this.#rollouts.prepend(...rows.toReversed());
    while (this.#rollouts.childElementCount > most) this.#rollouts.lastElementChild?.remove();
  }

  #write(step: number): void {
    const round = this.#sums[step];
    if (round === undefined) return;
    const mean = meanOf(round);
    round.element.style.setProperty("--reward", mean.toFixed(3));
    const text = round.element.querySelector(".learn-mean");
    if (text !== null) text.textContent = mean.toFixed(2);
  }
}

function card(parent: HTMLElement, title: string, className: string): HTMLElement {
  const section = part(parent, "section", className);
  part(section, "h2", "", title);
  return section;
}

function meanOf(round: { readonly sum: number; readonly count: number } | undefined): number {
  return round === undefined || round.count === 0 ? 0 : round.sum / round.count;
}

/** The numbers of an event that say most. */
const telling = [
  "num_sequences",
  "reward",
  "loss",
  "kl_reference",
  "entropy",
  "learning_rate",
  "step",
  "error_message",
];

function sentenceOf(data: unknown): string {
  if (typeof data !== "object" || data === null) return "";
  const values = new Map<string, unknown>(Object.entries(data));
  return telling
    .filter((name) => values.has(name))
    .map((name) => `${name} ${numberOf(values.get(name))}`)
    .join(" · ");
}

function numberOf(value: unknown): string {
  return typeof value === "number" ? String(Number(value.toPrecision(3))) : String(value);
}
