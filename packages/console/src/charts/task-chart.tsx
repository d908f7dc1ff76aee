/** @jsxImportSource preact */
import type { JSX } from "preact";
import { reward } from "../format/format.ts";
import type { Range } from "../format/reward-scale.ts";
import { linear, linePath, ticks } from "./scale.ts";
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
export function TaskChart({ points, range, current, hrefOf }: TaskChartProps): JSX.Element {
  const { ref, width } = useWidth();
  const steps = points.map(({ step }) => step);
  const x = linear(
    [Math.min(...steps), Math.max(...steps, Math.min(...steps) + 1)],
    [left + 10, Math.max(left + 20, width - 14)],
  );
  const y = linear([range.low, range.high], [height - 26, 10]);
  const clamp = (value: number) => y(Math.max(range.low, Math.min(range.high, value)));
  const middle = (range.low + range.high) / 2;
  return (
    <figure class="chart">
      <div ref={ref}>
        {width > 0 && (
          <svg
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            aria-label="Mean reward of this task by step"
            role="group"
          >
            {[range.low, middle, range.high].map((value) => (
              <g key={value}>
                <line class="grid" x1={left} x2={width - 4} y1={y(value)} y2={y(value)} />
                <text x={left - 7} y={y(value) + 4} text-anchor="end">
                  {reward(value, 1)}
                </text>
              </g>
            ))}
            <path
              class="line"
              d={linePath(
                points.map(({ mean }) => mean),
                (at) => x(steps[at] ?? 0),
                clamp,
              )}
            />
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
          </svg>
        )}
      </div>
    </figure>
  );
}
