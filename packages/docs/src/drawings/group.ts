import { n, label, type Drawing } from "./svg.ts";
import type { Measured } from "./runs.ts";

/** A group, and what is calculated from its rewards. */
export interface WorkedGroup {
  readonly question: string;
  readonly mean: number;
  /** The population's standard deviation. */
  readonly std: number;
  readonly attempts: readonly {
    readonly answer: string;
    readonly reward: number;
    readonly probability: number;
    readonly advantage: number;
  }[];
}

/** The advantages of a group, `(reward − mean) / std`; 0 if all rewards are equal. */
export function workedGroup({ question, group }: Measured): WorkedGroup {
  const rewards = group.map(({ reward }) => reward);
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const mean = meanOf(rewards);
  const std = Math.sqrt(meanOf(rewards.map((reward) => (reward - mean) ** 2)));
  return {
    question,
    mean,
    std,
    attempts: group.map(({ answer, reward, logprobs }) => ({
      answer,
      reward,
      probability: Math.exp(logprobs.reduce((sum, logprob) => sum + logprob, 0)),
      advantage: std === 0 ? 0 : (reward - mean) / std,
    })),
  };
}

/** Draws the rewards of a group with their mean, and below them the advantages. */
export function drawGroup({ question, mean, std, attempts }: WorkedGroup): Drawing {
  const step = 76;
  const x = (index: number) => 62 + index * step;
  const reward = (value: number) => 140 - value * 110;
  const advantage = (value: number) => 250 - value * 40;
  const bar = (at: number, from: number, to: number, kind: string) =>
    `<rect x="${at}" y="${n(Math.min(from, to))}" width="40" height="${n(Math.max(1, Math.abs(to - from)))}" rx="3" class="bar ${kind}"/>`;
  return {
    title: "Rewards and advantages of one group",
    text: `Eight answers to “${question}” with their rewards: ${attempts.map((one) => `${one.answer} ${one.reward}`).join(", ")}. The mean is ${mean.toFixed(4)}, the standard deviation ${std.toFixed(4)}. The advantages are ${attempts.map((one) => one.advantage.toFixed(2)).join(", ")}.`,
    width: 680,
    height: 345,
    parts: [
      label(10, 16, "reward", { anchor: "start", kind: "note" }),
      label(10, 186, "advantage", { anchor: "start", kind: "note" }),
      ...attempts.map(
        (one, index) =>
          bar(x(index), reward(0), reward(one.reward), "reward") +
          label(x(index) + 20, reward(one.reward) - 6, String(one.reward)) +
          bar(x(index), advantage(0), advantage(one.advantage), one.advantage < 0 ? "down" : "up") +
          label(
            x(index) + 20,
            advantage(one.advantage) + (one.advantage < 0 ? 18 : -6),
            one.advantage.toFixed(2).replace("-", "−"),
          ) +
          label(x(index) + 20, 336, one.answer),
      ),
      `<path d="M50 ${n(reward(mean))}H660" class="grid strong"/>`,
      label(672, reward(mean) - 6, `mean ${mean.toFixed(2)}`, { anchor: "end", kind: "label first" }),
      `<path d="M50 ${advantage(0)}H660" class="grid"/>`,
    ],
  };
}
