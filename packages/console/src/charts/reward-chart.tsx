/** @jsxImportSource preact */
import type { Curve } from "@trainyard/local";
import { count, reward } from "../format/format.ts";
import { Lazy } from "../parts/card.tsx";
import { between, linear, linePath, rewardScale, ticks } from "./scale.ts";
import { Levels, Svg, useWidth } from "./svg.tsx";
import { Table } from "./table.tsx";
import { useChartRange, type ChartRangeOptions } from "./use-chart-range.ts";

export interface RewardChartProps extends Pick<ChartRangeOptions, "onStep" | "onZoom"> {
  readonly train: Curve;
  readonly val?: Curve | undefined;
  /** The selected step of the page. */
  readonly current?: number | undefined;
}

const pad = { left: 42, right: 10, top: 12, bottom: 26 };

/** The reward by step: the distribution of the attempts as cells, and the means of two splits as lines over them. */
export function RewardChart({ train, val, current, onStep, onZoom }: RewardChartProps) {
  const { ref, width } = useWidth();
  const { step: steps, range } = train;
  const last = steps.length - 1;
  const height = width < 500 ? 230 : 300;
  const column = (width - pad.left - pad.right) / Math.max(1, steps.length);
  const x = linear(
    [0, Math.max(1, last)],
    [pad.left + column / 2, Math.max(pad.left + column, width - pad.right) - column / 2],
  );
  const y = rewardScale(range, [height - pad.bottom, pad.top]);
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
  const parts = train.by ?? [];
  const figures = [
    `train ${reward(train.mean[at], 3)}`,
    ...(valMean[at] == null ? [] : [`val ${reward(valMean[at], 3)}`]),
    `${count(train.n[at])} attempts`,
    ...parts.flatMap(({ of, value, mean }) =>
      mean[at] == null ? [] : [`${partText(of, value)} ${reward(mean[at], 3)}`],
    ),
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
        aria-label="Reward by step"
        aria-valuemin={steps[0] ?? 0}
        aria-valuemax={steps[last] ?? 0}
        aria-valuenow={shown ?? 0}
        aria-valuetext={shown === undefined ? "No steps" : `Step ${shown}: ${figures.join(", ")}`}
        {...slider}
      >
        <Svg width={width} height={height} label="Reward by step" {...drawing}>
          <Levels range={range} parts={4} y={y} left={pad.left} right={width - pad.right} />
          <Cells train={train} x={x} y={y} column={column} />
          {shown !== undefined && <line class="cross" x1={x(at)} x2={x(at)} y1={pad.top} y2={height - pad.bottom} />}
          <path class="under" d={linePath(train.mean, x, y)} />
          <path class="line" d={linePath(train.mean, x, y)} />
          <path class="line val" d={linePath(valMean, x, y)} />
          {parts.map(({ of, value, mean }, place) => (
            <g key={`${of} ${value}`} class={`by${place}`}>
              <path class="line" d={linePath(mean, x, y)} />
              {mean.length <= 60 &&
                mean.map((one, i) => one !== null && <circle key={i} class="dot" cx={x(i)} cy={y(one)} r={2.5} />)}
            </g>
          ))}
          {valMean.length <= 200 &&
            valMean.map((mean, i) => mean !== null && <circle key={i} class="dot val" cx={x(i)} cy={y(mean)} r={3} />)}
          {train.mean[at] != null && <circle class="dot on" cx={x(at)} cy={y(train.mean[at])} r={4.5} />}
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
              opacity={0.12}
              x={x(first) - column / 2}
              y={pad.top}
              width={(end - first + 1) * column}
              height={height - pad.top - pad.bottom}
            />
          )}
        </Svg>
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
      <Lazy class="as-table" title="Reward as a table">
        {() => (
          <Table
            label="Reward as a table"
            columns={[
              "Step",
              "Train, mean",
              "Attempts",
              ...(val ? ["Val, mean"] : []),
              ...parts.map(({ of, value }) => partText(of, value)),
            ]}
            isNumber={() => true}
            rows={steps.map((step, i) => [
              step,
              reward(train.mean[i], 3),
              count(train.n[i]),
              ...(val ? [reward(valMean[i], 3)] : []),
              ...parts.map(({ mean }) => reward(mean[i], 3)),
            ])}
          />
        )}
      </Lazy>
    </figure>
  );
}

/** The name of a line: a value, or what stands for several or none. */
export function partText(of: string, value: string): string {
  return of === "value" ? value : of === "none" ? "without it" : "others";
}

interface CellsProps extends Record<"x" | "y", (value: number) => number> {
  readonly train: Curve;
  readonly column: number;
}

/** The share of a step's attempts in each tenth. */
function Cells({ train: { cells, range }, x, y, column: full }: CellsProps) {
  const column = full * (full > 4 ? 0.84 : 1);
  const edge = (tenth: number) => y(between(range, tenth / 10));
  const height = edge(0) - edge(1) - 1.5;
  // One path for each of eight shades, because a node for each cell would be ten thousand nodes.
  const shades = Array.from({ length: 8 }, () => "");
  for (const [at, tenths] of cells.entries()) {
    const total = tenths.reduce((a, b) => a + b, 0);
    for (const [tenth, n] of tenths.entries()) {
      if (n / total < 0.012 || total === 0) continue;
      shades[Math.min(7, Math.floor(Math.sqrt(n / total) * 8))] +=
        `M${(x(at) - column / 2).toFixed(1)},${(edge(tenth + 1) + 0.75).toFixed(1)}h${column.toFixed(1)}v${height.toFixed(1)}h-${column.toFixed(1)}z`;
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
