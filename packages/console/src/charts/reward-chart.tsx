/** @jsxImportSource preact */
import { count, reward } from "../format/format.ts";
import type { Range } from "../format/reward-scale.ts";
import { ChartTable } from "./chart-table.tsx";
import { linear, linePath, ticks } from "./scale.ts";
import { Levels, Svg } from "./svg.tsx";
import { useChartRange, type ChartRangeOptions } from "./use-chart-range.ts";
import { useWidth } from "./use-width.ts";

type Values = readonly (number | null)[];

/** The data of the chart as columns: the values of one step have the same index in each. */
export interface RewardSeries {
  readonly range: Range;
  readonly step: readonly number[];
  readonly n: readonly number[];
  readonly mean: Values;
  /** The number of rewards in each tenth of the range, lowest first. */
  readonly cells: readonly (readonly number[])[];
}

export interface RewardChartProps extends Pick<ChartRangeOptions, "onStep" | "onZoom"> {
  readonly name: string;
  readonly train: RewardSeries;
  readonly val?: { readonly step: readonly number[]; readonly mean: Values } | undefined;
  /** The selected step of the page. */
  readonly current?: number | undefined;
}

const pad = { left: 42, right: 10, top: 12, bottom: 26 };

/** The reward by step: the distribution of the attempts as cells, and the means of two splits as lines over them. */
export function RewardChart({ name, train, val, current, onStep, onZoom }: RewardChartProps) {
  const { ref, width } = useWidth();
  const { step: steps, range } = train;
  const last = steps.length - 1;
  const height = width < 500 ? 230 : 300;
  const column = (width - pad.left - pad.right) / Math.max(1, steps.length);
  const x = linear(
    [0, Math.max(1, last)],
    [pad.left + column / 2, Math.max(pad.left + column, width - pad.right) - column / 2],
  );
  const y = linear([range.low, range.high], [height - pad.bottom, pad.top]);
  const place = new Map(steps.map((step, at) => [step, at]));
  const means = new Map(val?.step.map((step, at) => [step, val.mean[at] ?? null]));
  const valMean = steps.map((step) => means.get(step) ?? null);
  const { at, isHovered, dragged, slider, drawing } = useChartRange({
    steps,
    current: place.get(current ?? NaN) ?? last,
    placeAt: (left) => Math.max(0, Math.min(last, Math.floor((left - pad.left) / Math.max(column, 1e-9)))),
    onStep,
    onZoom,
  });
  const shown = steps[at];
  const figures = [
    `train ${reward(train.mean[at], 3)}`,
    ...(valMean[at] == null ? [] : [`val ${reward(valMean[at], 3)}`]),
    `${count(train.n[at])} attempts`,
  ];
  const [first = 0, end = 0] = dragged ?? [];
  return (
    <figure class="chart">
      {/* The arrow keys move the crosshair, and a screen reader reads its text. */}
      <div
        ref={ref}
        class="plot"
        role="slider"
        tabIndex={0}
        aria-label={`${name} by step`}
        aria-valuemin={steps[0] ?? 0}
        aria-valuemax={steps[last] ?? 0}
        aria-valuenow={shown ?? 0}
        aria-valuetext={shown === undefined ? "No steps" : `Step ${shown}: ${figures.join(", ")}`}
        {...slider}
      >
        {width > 0 && (
          <Svg
            width={width}
            height={height}
            label={`${name} by step. ${trendOf("The mean of train", train)} ${val ? trendOf("Of val", val) : ""}`}
            {...drawing}
          >
            <Levels
              values={[0, 0.25, 0.5, 0.75, 1].map((part) => range.low + part * (range.high - range.low))}
              y={y}
              left={pad.left}
              right={width - pad.right}
              digits={2}
            />
            <Cells train={train} x={x} y={y} column={column} />
            {shown !== undefined && <line class="cross" x1={x(at)} x2={x(at)} y1={pad.top} y2={height - pad.bottom} />}
            <Lines train={train.mean} val={valMean} at={at} range={range} x={x} y={y} />
            {ticks(steps.length, width < 500 ? 3 : 6).map((i) => (
              <text
                key={i}
                x={x(i)}
                y={height - 6}
                text-anchor={i === last && i > 0 ? "end" : i === 0 ? "start" : "middle"}
              >
                {i === 0 ? `step ${steps[i]}` : steps[i]}
              </text>
            ))}
            {dragged !== undefined && (
              <rect
                class="zoom"
                x={x(first) - column / 2}
                y={pad.top}
                width={(end - first + 1) * column}
                height={height - pad.top - pad.bottom}
              />
            )}
          </Svg>
        )}
        {isHovered && shown !== undefined && (
          <div
            class="tip"
            aria-hidden="true"
            style={{ left: `${Math.min(x(at) + 12, width - 130)}px`, top: `${pad.top}px` }}
          >
            <b>Step {shown}</b>
            {figures.map((figure) => (
              <span key={figure}>{figure}</span>
            ))}
          </div>
        )}
      </div>
      <ChartTable
        name={name}
        columns={["Step", "Train, mean", "Attempts", ...(val ? ["Val, mean"] : [])]}
        rows={() =>
          steps.map((step, i) => [
            String(step),
            reward(train.mean[i], 3),
            count(train.n[i]),
            ...(val ? [reward(valMean[i], 3)] : []),
          ])
        }
      />
    </figure>
  );
}

interface Scales {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
}

/** The share of a step's attempts in each tenth. At most one column per pixel is drawn. */
function Cells({ train, x, y, column: full }: Scales & { train: RewardSeries; column: number }) {
  const column = full * (full > 4 ? 0.84 : 1);
  const stride = Math.max(1, Math.ceil(1.5 / Math.max(column, 0.01)));
  const wide = (column * stride).toFixed(1);
  const { low, high } = train.range;
  // One path for each of eight shades, because a node for each cell would be ten thousand nodes.
  const shades = Array.from({ length: 8 }, () => "");
  for (let at = 0; at < train.cells.length; at += stride) {
    const sum = Array.from({ length: 10 }, () => 0);
    for (const one of train.cells.slice(at, at + stride))
      for (const [k, n] of one.entries()) sum[k] = (sum[k] ?? 0) + n;
    const total = sum.reduce((a, b) => a + b, 0);
    for (const [k, n] of sum.entries()) {
      const share = total === 0 ? 0 : n / total;
      if (share < 0.012) continue;
      const [top, bottom] = [k + 1, k].map((tenth) => y(low + (tenth / 10) * (high - low))) as [number, number];
      shades[Math.min(7, Math.floor(Math.sqrt(share) * 8))] +=
        `M${(x(at) - column / 2).toFixed(1)},${(top + 0.75).toFixed(1)}h${wide}v${(bottom - top - 1.5).toFixed(1)}h-${wide}z`;
    }
  }
  return (
    <g>
      {shades.map(
        (path, shade) => path !== "" && <path key={shade} class="cell" opacity={0.06 + 0.08 * shade} d={path} />,
      )}
    </g>
  );
}

interface LinesProps extends Scales {
  readonly train: Values;
  readonly val: Values;
  /** The place that has a dot. */
  readonly at: number;
  readonly range: Range;
}

/** The means of two splits. */
function Lines({ train, val, at, range, x, y }: LinesProps) {
  const clamp = (value: number) => y(Math.max(range.low, Math.min(range.high, value)));
  const path = linePath(train, x, clamp);
  return (
    <>
      <path class="under" d={path} />
      <path class="line" d={path} />
      <path class="line val" d={linePath(val, x, clamp)} />
      {val.length <= 200 &&
        val.map((mean, i) => mean !== null && <circle key={i} class="dot val" cx={x(i)} cy={clamp(mean)} r={3} />)}
      {train[at] != null && <circle class="dot on" cx={x(at)} cy={clamp(train[at])} r={4.5} />}
    </>
  );
}

function trendOf(what: string, { step, mean }: Pick<RewardSeries, "step" | "mean">): string {
  const first = mean.findIndex((one) => one !== null);
  const last = mean.findLastIndex((one) => one !== null);
  if (first < 0) return "";
  return `${what} goes from ${reward(mean[first], 2)} at step ${step[first]} to ${reward(mean[last], 2)} at step ${step[last]}.`;
}
