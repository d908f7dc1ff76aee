import { writeFileSync } from "node:fs";
import type { TrajectoryGroup } from "@trainyard/training";

/** The mean over all trajectories of all groups. */
export function meanReward(groups: readonly TrajectoryGroup[]): number {
  const rewards = groups.flatMap(({ trajectories }) =>
    trajectories.map(({ reward = 0 }) => reward),
  );
  return rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
}

/** The mean reward of each step: bars in the terminal, and a line in an SVG file if one is named. */
export class RewardChart {
  readonly #title: string;
  readonly #file: string | undefined;
  readonly #rewards: number[] = [];

  constructor(title: string, { file }: { file?: string | undefined } = {}) {
    this.#title = title;
    this.#file = file;
    console.log(`Mean reward by step: ${title}`);
  }

  /** Adds the next step, beginning with step 0. A reward is from 0 to 1. */
  add(reward: number): void {
    const step = String(this.#rewards.push(reward) - 1).padStart(4);
    console.log(
      `${step} ${"█".repeat(Math.round(reward * 50)).padEnd(50, "░")} ${reward.toFixed(3)}`,
    );
    if (this.#file !== undefined) writeFileSync(this.#file, this.#svg());
  }

  #svg(): string {
    const [left, right, top, bottom] = [50, 620, 50, 290];
    const last = Math.max(1, this.#rewards.length - 1);
    const x = (step: number): number => left + ((right - left) * step) / last;
    const y = (reward: number): number => bottom - (bottom - top) * reward;
    const points = this.#rewards.map(
      (reward, step) => [x(step), y(reward)] as const,
    );
    const grid = [0, 0.25, 0.5, 0.75, 1].map(
      (reward) =>
        `<path d="M${left} ${y(reward)}H${right}" stroke="#8884"/>` +
        `<text x="${left - 8}" y="${y(reward) + 4}" text-anchor="end">${reward}</text>`,
    );
    // There is room for twelve numbers.
    const every = Math.ceil(points.length / 12);
    const steps = points.map(([at], step) =>
      step % every > 0
        ? ""
        : `<text x="${at.toFixed(1)}" y="${bottom + 20}" text-anchor="middle">${step}</text>`,
    );
    const dots = points.map(
      ([at, height], step) =>
        `<circle cx="${at.toFixed(1)}" cy="${height.toFixed(1)}" r="4"><title>step ${step}: ${this.#rewards[step]?.toFixed(3)}</title></circle>`,
    );
    const line = points
      .map(([at, height]) => `${at.toFixed(1)},${height.toFixed(1)}`)
      .join(" ");
    const label = `Mean reward by step: ${this.#title}`;
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 330" role="img" aria-label="${label}" font-family="system-ui, sans-serif" font-size="13" fill="#667">
<text x="${left}" y="28" font-size="16">${label}</text>
${grid.join("\n")}
${steps.filter(Boolean).join("\n")}
<polyline points="${line}" fill="none" stroke="#2f6fdb" stroke-width="2.5"/>
<g fill="#2f6fdb">${dots.join("")}</g>
</svg>
`;
  }
}
