/** @jsxImportSource preact */
import type { Marks } from "@trainyard/local";
import type { Curve, RewardRange } from "../api/answers.ts";
import { count, reward } from "../format/format.ts";
import { Lazy } from "../parts/card.tsx";
import { between, linear, linePath, rewardScale, ticks, type Values } from "./scale.ts";
import { Levels, Svg, useWidth } from "./svg.tsx";
import { Table } from "./table.tsx";
import { useChartRange, type ChartRangeOptions } from "./use-chart-range.ts";

/** A line of a chart: a value for each place, and which of them have a dot. */
export interface ChartLine {
  readonly name: string;
  readonly class: string;
  readonly values: Values;
  readonly hasDot: (place: number) => boolean;
}

export interface RewardChartProps extends Pick<ChartRangeOptions, "onStep" | "onZoom"> {
  /** The places from left to right: steps, or milliseconds since the start. */
  readonly places: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly range: RewardRange;
  /** The selected step of the page; by default the last place. */
  readonly current?: number | undefined;
  /** Other places that are marked. */
  readonly marks?: readonly number[];
  /** Steps that are marked as a band under the curves, until the last one or another. */
  readonly bands?: readonly Pick<Marks["data"][number], "since" | "until" | "title">[];
  /** The distribution under the lines. With it, all places have the same width. */
  readonly train?: Curve | undefined;
  /** A place as text. */
  readonly write?: (place: number) => string;
}

const pad = { left: 42, right: 10, top: 12, bottom: 26 };

/** The reward by step or by time: lines over each other, and under them the distribution of the attempts as cells. */
export function RewardChart({
  places,
  lines,
  range,
  current,
  marks = [],
  bands = [],
  train,
  write = stepText,
  onStep,
  onZoom,
}: RewardChartProps) {
  const { ref, width } = useWidth();
  const last = places.length - 1;
  const height = width < 500 ? 230 : 300;
  const column = (width - pad.left - pad.right) / Math.max(1, places.length);
  const ends = [pad.left + column / 2, Math.max(pad.left + column, width - pad.right) - column / 2] as const;
  const even = linear([0, Math.max(1, last)], ends);
  const scaled = linear([places[0] ?? 0, places[last] ?? 1], ends);
  const x = (at: number) => (train ? even(at) : scaled(places[at] ?? 0));
  const y = rewardScale(range, [height - pad.bottom, pad.top]);
  const marked = places.indexOf(current ?? NaN);
  const { at, isHovered, dragged, slider, drawing } = useChartRange({
    steps: places,
    current: marked < 0 ? last : marked,
    placeAt: (left) =>
      places.reduce((best, _, at) => (Math.abs(x(at) - left) < Math.abs(x(best) - left) ? at : best), 0),
    onStep,
    onZoom,
  });
  const shown = places[at];
  /** Lines over each other seldom have the same places, so each shows its newest value there. */
  const placeOf = (values: Values) => (train ? at : values.findLastIndex((one, i) => one !== null && i <= at));
  const figures = [
    ...lines.flatMap(({ name, values }) => {
      const value = values[placeOf(values)];
      return value == null ? [] : [`${name} ${reward(value, 3)}`];
    }),
    ...(train ? [`${count(train.n[at])} attempts`] : []),
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
        aria-valuemin={places[0] ?? 0}
        aria-valuemax={places[last] ?? 0}
        aria-valuenow={shown ?? 0}
        aria-valuetext={shown === undefined ? "No steps" : `${capital(write(shown))}: ${figures.join(", ")}`}
        {...slider}
      >
        <Svg width={width} height={height} label="Reward by step" {...drawing}>
          <Levels range={range} parts={4} y={y} left={pad.left} right={width - pad.right} />
          {train && <Cells train={train} x={x} y={y} column={column} />}
          {[...new Set([...marks.map((mark) => places.indexOf(mark)), ...(shown === undefined ? [] : [at])])].map(
            (i) => i >= 0 && <line key={i} class="cross" x1={x(i)} x2={x(i)} y1={pad.top} y2={height - pad.bottom} />,
          )}
          {bands.map(({ since, until, title }, band) => {
            const [from, to] = [since, until ?? Infinity].map((step) => places.findIndex((place) => place >= step));
            if (from === undefined || from < 0) return null;
            const [left, right] = [x(from) - column / 2, x(to === undefined || to < 0 ? last : to) + column / 2];
            return (
              <rect
                key={band}
                class="band"
                x={left}
                width={right - left}
                y={height - pad.bottom + 2 + 3 * (band % 3)}
                height={2}
              >
                <title>{`${title}, step ${since} to ${until ?? "now"}`}</title>
              </rect>
            );
          })}
          {lines.map(({ name, class: kind, values, hasDot }, line) => {
            const here = placeOf(values);
            return (
              <g key={line} class={kind} data-name={name}>
                {line === 0 && train && <path class="under" d={linePath(values, x, y)} />}
                <path class="line" d={linePath(values, x, y)} />
                {values.map(
                  (value, i) =>
                    value !== null && hasDot(i) && <circle key={i} class="dot" cx={x(i)} cy={y(value)} r={3} />,
                )}
                {values[here] != null && <circle class="dot on" cx={x(here)} cy={y(values[here])} r={4.5} />}
              </g>
            );
          })}
          {ticks(places.length, width < 500 ? 3 : 6).map((i, at, all) => (
            <text
              key={i}
              x={x(i)}
              y={height - 6}
              text-anchor={i === last && i > 0 ? "end" : i === 0 ? "start" : "middle"}
            >
              {i === 0 || write !== stepText
                ? differing(write(places[i] ?? 0), places[all[at - 1] ?? -1], write)
                : places[i]}
            </text>
          ))}
          {dragged !== undefined && (
            <rect
              class="zoom"
              opacity={0.12}
              x={x(first) - column / 2}
              y={pad.top}
              width={x(end) - x(first) + column}
              height={height - pad.top - pad.bottom}
            />
          )}
        </Svg>
        {isHovered && shown !== undefined && (
          <div
            class="tip"
            aria-hidden="true"
            style={{ left: `${Math.max(0, Math.min(x(at) + 12, width - 150))}px`, top: `${pad.top}px` }}
          >
            <b>{capital(write(shown))}</b>
            {figures.map((figure, i) => (
              <span key={i}>{figure}</span>
            ))}
          </div>
        )}
      </div>
      <Lazy class="as-table" title="Reward as a table">
        {() => (
          <Table
            label="Reward as a table"
            columns={["Step", ...lines.map(({ name }) => `${name}, mean`), ...(train ? ["Attempts"] : [])]}
            isNumber={() => true}
            rows={places.map((place, i) => [
              write === stepText ? place : write(place),
              ...lines.map(({ values }) => reward(values[i], 3)),
              ...(train ? [count(train.n[i])] : []),
            ])}
          />
        )}
      </Lazy>
    </figure>
  );
}

function stepText(step: number): string {
  return `step ${step}`;
}

/** A text, unless the place before has the same. */
function differing(text: string, before: number | undefined, write: (place: number) => string): string {
  return before !== undefined && write(before) === text ? "" : text;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
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
