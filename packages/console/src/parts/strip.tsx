/** @jsxImportSource preact */
import type { GroupSummary, RewardRange } from "../api/answers.ts";
import { rewardScale } from "../charts/scale.ts";
import { counted, reward } from "../format/format.ts";

/** The degree of a reward, from 0 (low) to 6 (high). A reward outside of the range has the nearest degree. */
export function rewardDegree(reward: number, range: RewardRange): number {
  return Math.round(rewardScale(range, [0, 6])(reward));
}

/** The colors of text on a degree: the ends and their neighbours contrast with one of black and white. */
const texts = ["paper", "on-mid", "ink", "ink", "ink", "on-mid", "paper"];

/** The color of a reward, and that of text on it. */
export function rewardStyle(reward: number, range: RewardRange): { background: string; color: string } {
  const degree = rewardDegree(reward, range);
  return { background: `var(--r${degree})`, color: `var(--${texts[degree]})` };
}

export interface StripProps extends Pick<GroupSummary, "rewards" | "exceptions"> {
  readonly range: RewardRange;
  /** How many cells are drawn at most. If there are more, a number says how many. */
  readonly most?: number | undefined;
}

/** The rewards of a group, best first, with one cell per attempt. The height of a cell also shows the reward. */
export function Strip({ rewards, exceptions, range, most = 16 }: StripProps) {
  const sorted = rewards.toSorted((a, b) => b - a);
  const description = [
    ...(rewards.length === 0
      ? []
      : [`Reward${rewards.length === 1 ? "" : "s"} ${sorted.map((one) => reward(one)).join(", ")}`]),
    ...(exceptions === 0 ? [] : [counted(exceptions, "exception")]),
  ];
  const drawn = sorted.slice(0, most);
  const thrown = Math.max(0, Math.min(exceptions, most - drawn.length));
  const hidden = rewards.length + exceptions - drawn.length - thrown;
  return (
    <span class="strip" role="img" aria-label={description.join(", ") || "No attempts"}>
      {drawn.map((one, at) => (
        <i key={at} style={{ ...rewardStyle(one, range), height: `${4 + 3 * rewardDegree(one, range)}px` }} />
      ))}
      {Array.from({ length: thrown }, (_, at) => (
        <i key={`x${at}`} class="x" />
      ))}
      {hidden > 0 && <small aria-hidden="true">+{hidden}</small>}
    </span>
  );
}

interface RewardProps {
  readonly value: number | null;
  readonly range: RewardRange;
  /** The text of an attempt that has no reward. */
  readonly missing: string;
}

/** The reward of an attempt, on its color. */
export function Reward({ value, range, missing }: RewardProps) {
  if (value === null) return <span class="rew bad">{missing}</span>;
  return (
    <span class="rew" style={rewardStyle(value, range)}>
      {reward(value)}
    </span>
  );
}

/** The legend of the reward colors. */
export function Scale({ range }: { readonly range: RewardRange }) {
  return (
    <span class="scale">
      reward {reward(range.low, range.low === 0 ? 0 : 1)} <span aria-hidden="true" />{" "}
      {reward(range.high, range.high === 1 ? 0 : 1)}
    </span>
  );
}
