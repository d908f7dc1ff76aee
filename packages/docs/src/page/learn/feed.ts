import type { FromWorker } from "../protocol.ts";
import { part } from "../run/part.ts";

type Rollout = Extract<FromWorker, { kind: "rollout" }>;

/** How many rollouts are shown: the newest ones. */
const most = 24;

/** Milliseconds between two updates: a round has hundreds of rollouts, and a reader reads only a few. */
const every = 125;

/** The live part of the page: the rollouts with their rewards. The console below shows the rest. */
export class Feed {
  readonly #list: HTMLElement;
  /** The rewards of each round. */
  #rounds: number[][] = [];
  /** What has arrived since the last update. */
  #new: Rollout[] = [];
  #drawn = -Infinity;

  constructor(parent: HTMLElement) {
    const section = part(parent, "section", "learn-feed");
    part(section, "h2", "", "Rollouts, as they come");
    this.#list = part(section, "ul");
    this.#list.tabIndex = 0;
    this.#list.ariaLabel = "Rollouts";
  }

  clear(): void {
    this.#list.replaceChildren();
    this.#rounds = [];
    this.#new = [];
  }

  rollout(rollout: Rollout): void {
    (this.#rounds[rollout.step] ??= []).push(rollout.reward);
    this.#new.push(rollout);
    if (this.#new.length > 1) return;
    setTimeout(() => requestAnimationFrame(() => this.#draw()), this.#drawn + every - performance.now());
  }

  /** The result of the run, in a sentence. */
  result(): string {
    const [first, last] = [this.#rounds[0], this.#rounds.at(-1)].map((rewards = []) => meanOf(rewards).toFixed(2));
    return `Done: the mean reward went from ${first} to ${last}.`;
  }

  #draw(): void {
    this.#drawn = performance.now();
    this.#list.prepend(...this.#new.splice(0).slice(-most).map(rowOf).toReversed());
    while (this.#list.childElementCount > most) this.#list.lastElementChild?.remove();
  }
}

function rowOf({ prompt, text, reward }: Rollout): HTMLElement {
  const row = document.createElement("li");
  const chip = part(row, "span", "learn-reward", reward.toFixed(2));
  chip.style.setProperty("--reward", String(reward));
  part(row, "span", "learn-text", text === "" ? "(nothing)" : text);
  part(row, "small", "", prompt);
  return row;
}

function meanOf(rewards: readonly number[]): number {
  return rewards.length === 0 ? 0 : rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
}
