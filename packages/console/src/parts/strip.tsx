/** @jsxImportSource preact */
import { reward } from "../format/format.ts";
import { rewardDegree, rewardStyle, type Range } from "../format/reward-scale.ts";

export interface StripProps {
  readonly rewards: readonly number[];
  readonly exceptions: number;
  readonly range: Range;
}

/** The number of cells that are drawn. If there are more, a number says how many. */
const most = 16;

/** The rewards of a group, best first, with one cell per attempt. The height of a cell also shows the reward. */
export function Strip({ rewards, exceptions, range }: StripProps) {
  const sorted = rewards.toSorted((a, b) => b - a);
  const description = [
    rewards.length === 1
      ? `Reward ${reward(sorted[0])}`
      : rewards.length > 0
        ? `Rewards ${sorted.map((one) => reward(one)).join(", ")}`
        : "",
    exceptions === 0 ? "" : exceptions === 1 ? "1 exception" : `${exceptions} exceptions`,
  ];
  const drawn = sorted.slice(0, most);
  const thrown = Math.max(0, Math.min(exceptions, most - drawn.length));
  const hidden = rewards.length + exceptions - drawn.length - thrown;
  return (
    <span class="strip" role="img" aria-label={description.filter(Boolean).join(", ")}>
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
  readonly range: Range;
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
export function Scale({ range }: { readonly range: Range }) {
  return (
    <span class="scale">
      reward {reward(range.low, range.low === 0 ? 0 : 1)} <span aria-hidden="true" />{" "}
      {reward(range.high, range.high === 1 ? 0 : 1)}
    </span>
  );
}
