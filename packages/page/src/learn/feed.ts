import type { FromWorker } from "../protocol.ts";
import { part } from "../run/part.ts";

type Rollout = Extract<FromWorker, { kind: "rollout" }>;
type Event = Extract<FromWorker, { kind: "event" }>;

/** How many rollouts and events are shown: the newest ones. */
const most = 24;

/** Milliseconds between two updates: a round has hundreds of rollouts, and a reader reads only a few. */
const every = 125;

interface Round {
  sum: number;
  count: number;
  /** Its row, once it is rendered. */
  row?: HTMLElement;
}

/** The live part of the page: rollouts with their rewards, the mean of each round, and the events of the job. */
export class Feed {
  readonly #rollouts: HTMLElement;
  readonly #means: HTMLElement;
  readonly #events: HTMLElement;
  #rounds: Round[] = [];
  /** What has arrived since the last update. */
  #newRollouts: Rollout[] = [];
  #newEvents: Event[] = [];
  #drawn = -Infinity;
  #isWaiting = false;

  constructor(parent: HTMLElement) {
    const feed = part(parent, "div", "learn-feed");
    const means = part(card(feed, "Mean reward by round", "learn-rounds"), "div", "learn-scroll learn-means");
    this.#means = part(means, "ol");
    this.#rollouts = part(card(feed, "Rollouts, as they come", "learn-rollouts"), "ul", "learn-scroll learn-list");
    this.#events = part(card(feed, "Events of the training jobs", "learn-events"), "ol", "learn-scroll learn-list");
    for (const [scroller, label] of [
      [means, "Rounds"],
      [this.#rollouts, "Rollouts"],
      [this.#events, "Events"],
    ] as const) {
      scroller.tabIndex = 0;
      scroller.ariaLabel = label;
    }
    means.role = "region";
  }

  clear(): void {
    for (const list of [this.#rollouts, this.#means, this.#events]) list.replaceChildren();
    this.#rounds = [];
    this.#newRollouts = [];
    this.#newEvents = [];
  }

  round(): void {
    this.#rounds.push({ sum: 0, count: 0 });
    this.#drawSoon();
  }

  rollout(rollout: Rollout): void {
    const round = this.#rounds[rollout.step];
    if (round !== undefined) {
      round.sum += rollout.reward;
      round.count++;
    }
    this.#newRollouts.push(rollout);
    this.#drawSoon();
  }

  event(event: Event): void {
    this.#newEvents.push(event);
    this.#drawSoon();
  }

  /** The result of the run, in a sentence. */
  result(): string {
    const [first, last] = [meanOf(this.#rounds[0]), meanOf(this.#rounds.at(-1))];
    return `Done: the mean reward went from ${first.toFixed(2)} to ${last.toFixed(2)}.`;
  }

  #drawSoon(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(() => requestAnimationFrame(() => this.#draw()), this.#drawn + every - performance.now());
  }

  #draw(): void {
    this.#isWaiting = false;
    this.#drawn = performance.now();
    prepend(this.#rollouts, this.#newRollouts.slice(-most).map(rolloutRow));
    prepend(this.#events, this.#newEvents.slice(-most).map(eventRow));
    const [oldest] = this.#newRollouts;
    this.#newRollouts = [];
    this.#newEvents = [];
    for (const [step, round] of this.#rounds.entries()) {
      const isNew = round.row === undefined;
      round.row ??= roundRow(this.#means, step);
      if (isNew || (oldest !== undefined && step >= oldest.step)) writeMean(round.row, round);
    }
  }
}

function prepend(list: HTMLElement, rows: readonly HTMLElement[]): void {
  list.prepend(...rows.toReversed());
  while (list.childElementCount > most) list.lastElementChild?.remove();
}

function rolloutRow({ prompt, text, reward }: Rollout): HTMLElement {
  const row = document.createElement("li");
  const chip = part(row, "span", "learn-reward", reward.toFixed(2));
  chip.style.setProperty("--reward", String(reward));
  part(row, "span", "learn-text", text === "" ? "(nothing)" : text);
  part(row, "small", "", prompt);
  return row;
}

function eventRow({ step, type, data }: Event): HTMLElement {
  const row = document.createElement("li");
  part(row, "span", "learn-step", String(step + 1));
  part(row, "code", "", type);
  part(row, "span", "learn-data", sentenceOf(data));
  return row;
}

function roundRow(list: HTMLElement, step: number): HTMLElement {
  const row = part(list, "li");
  part(row, "span", "learn-step", String(step));
  part(part(row, "span", "learn-meter"), "i");
  part(row, "span", "learn-mean", "…");
  return row;
}

function writeMean(row: HTMLElement, round: Round): void {
  const text = row.querySelector(".learn-mean");
  if (round.count === 0 || text === null) return;
  row.style.setProperty("--reward", meanOf(round).toFixed(3));
  text.textContent = meanOf(round).toFixed(2);
}

function card(parent: HTMLElement, title: string, className: string): HTMLElement {
  const section = part(parent, "section", className);
  part(section, "h2", "", title);
  return section;
}

function meanOf(round: Round | undefined): number {
  return round === undefined || round.count === 0 ? 0 : round.sum / round.count;
}

/** The most informative numbers of an event. */
const informative = [
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
  return informative
    .filter((name) => values.has(name))
    .map((name) => `${name} ${numberOf(values.get(name))}`)
    .join(" · ");
}

function numberOf(value: unknown): string {
  return typeof value === "number" ? String(Number(value.toPrecision(3))) : String(value);
}
