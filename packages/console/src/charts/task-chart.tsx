/** @jsxImportSource preact */
import { reward } from "../format/format.ts";
import type { Range } from "../format/reward-scale.ts";
import { linear, linePath, ticks } from "./scale.ts";
import { Levels, Svg } from "./svg.tsx";
import { useWidth } from "./use-width.ts";

/** One group of a task. */
export interface TaskPoint {
  readonly id: string;
  readonly step: number;
  readonly mean: number | null;
  readonly rewards: readonly number[];
}

export interface TaskChartProps {
  readonly points: readonly TaskPoint[];
  readonly range: Range;
  readonly current: string;
  readonly hrefOf: (point: TaskPoint) => string;
}

const height = 132;
const left = 36;

/** The history of one task: the mean of each group, with its attempts as dots. Each point is a link. */
export function TaskChart({ points, range, current, hrefOf }: TaskChartProps) {
  const { ref, width } = useWidth();
  const steps = points.map(({ step }) => step);
  const first = Math.min(...steps);
  const x = linear([first, Math.max(...steps, first + 1)], [left + 10, Math.max(left + 20, width - 14)]);
  const y = linear([range.low, range.high], [height - 26, 10]);
  const clamp = (value: number) => y(Math.max(range.low, Math.min(range.high, value)));
  const means = points.map(({ mean }) => mean);
  return (
    <figure class="chart">
      <div ref={ref}>
        {width > 0 && (
          <Svg width={width} height={height} label="Mean reward of this task by step" role="group">
            <Levels
              values={[range.low, (range.low + range.high) / 2, range.high]}
              y={y}
              left={left}
              right={width - 4}
              digits={1}
            />
            <path class="line" d={linePath(means, (at) => x(steps[at] ?? 0), clamp)} />
            {points.map((point) => (
              <a
                key={point.id}
                href={hrefOf(point)}
                aria-label={`Step ${point.step}: mean reward ${reward(point.mean)}`}
              >
                {points.length <= 60 &&
                  point.rewards.map((one, at) => (
                    <circle key={at} class="attempt" cx={x(point.step)} cy={clamp(one)} r={2} />
                  ))}
                {point.mean !== null && (
                  <circle
                    class={point.id === current ? "dot on" : "dot"}
                    cx={x(point.step)}
                    cy={clamp(point.mean)}
                    r={point.id === current ? 5 : 4}
                  />
                )}
                <rect class="target" x={x(point.step) - 12} width={24} y={0} height={height - 22} />
              </a>
            ))}
            {ticks(points.length, 6).map((at) => (
              <text key={at} x={x(steps[at] ?? 0)} y={height - 6} text-anchor="middle">
                {steps[at]}
              </text>
            ))}
          </Svg>
        )}
      </div>
    </figure>
  );
}
