/** @jsxImportSource preact */
import type { JSX } from "preact";
import { reward } from "../format/format.ts";
import { extent, linear, linePath } from "./scale.ts";

const [width, height] = [120, 28];

/** The mean rewards of a run, small enough for a row. */
export function Spark({ means }: { readonly means: readonly number[] }): JSX.Element {
  const [low, high] = extent(means);
  const x = linear([0, Math.max(1, means.length - 1)], [3, width - 5]);
  const y = linear([Math.min(low, 0), Math.max(high, 1)], [height - 3, 4]);
  const last = means.at(-1);
  const description = last === undefined ? "No rewards yet" : `Mean reward from ${reward(means[0])} to ${reward(last)}`;
  return (
    <svg
      class="spark"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={description}
    >
      <path class="line" d={linePath(means, x, y)} />
      {last !== undefined && <circle class="dot on" cx={x(means.length - 1)} cy={y(last)} r={2.5} />}
    </svg>
  );
}
