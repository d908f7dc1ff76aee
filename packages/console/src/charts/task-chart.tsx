/** @jsxImportSource preact */
import type { GroupDetail, RewardRange } from "@trainyard/local";
import { reward } from "../format/format.ts";
import { hrefOf } from "../state/address.ts";
import { linear, linePath, rewardScale, ticks } from "./scale.ts";
import { Levels, Svg, useWidth } from "./svg.tsx";

export interface TaskChartProps {
  readonly run: string;
  readonly data: GroupDetail;
  readonly range: RewardRange;
}

const height = 132;
const left = 36;

/** The history of one task: the mean of each group, with its attempts as dots. Each point is a link. */
export function TaskChart({ run, data: { summary, same_task: points }, range }: TaskChartProps) {
  const { ref, width } = useWidth();
  const steps = points.map(({ step }) => step);
  const first = Math.min(...steps);
  const x = linear([first, Math.max(...steps, first + 1)], [left + 10, Math.max(left + 20, width - 14)]);
  const y = rewardScale(range, [height - 26, 10]);
  const means = points.map(({ mean }) => mean);
  return (
    <figure class="chart">
      <div ref={ref}>
        <Svg width={width} height={height} label="Mean reward of this task by step" role="group">
          <Levels range={range} parts={2} y={y} left={left} right={width - 4} />
          <path class="line" d={linePath(means, (at) => x(steps[at] ?? 0), y)} />
          {points.map(({ id, step, mean, rewards }) => (
            <a
              key={id}
              href={hrefOf(["runs", run, "groups", id])}
              aria-label={`Step ${step}: mean reward ${reward(mean)}`}
            >
              {points.length <= 60 &&
                rewards.map((one, at) => (
                  <circle key={at} class="attempt" opacity={0.35} cx={x(step)} cy={y(one)} r={2} />
                ))}
              {mean !== null && (
                <circle
                  class={id === summary.id ? "dot on" : "dot"}
                  cx={x(step)}
                  cy={y(mean)}
                  r={id === summary.id ? 5 : 4}
                />
              )}
              <rect fill="transparent" x={x(step) - 12} width={24} y={0} height={height - 22} />
            </a>
          ))}
          {ticks(points.length, 6).map((at) => (
            <text key={at} x={x(steps[at] ?? 0)} y={height - 6} text-anchor="middle">
              {steps[at]}
            </text>
          ))}
        </Svg>
      </div>
    </figure>
  );
}
