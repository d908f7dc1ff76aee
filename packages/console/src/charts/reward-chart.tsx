/** @jsxImportSource preact */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { count, reward } from "../format/format.ts";
import type { Range } from "../format/reward-scale.ts";
import { ChartTable } from "./chart-table.tsx";
import { linear, linePath, ticks } from "./scale.ts";
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

export interface RewardChartProps {
  readonly name: string;
  readonly train: RewardSeries;
  readonly val?: { readonly step: readonly number[]; readonly mean: Values } | undefined;
  /** The selected step of the page. */
  readonly current?: number | undefined;
  readonly onStep?: ((step: number) => void) | undefined;
  /** Called with the steps that should fill the chart; undefined for all. */
  readonly onZoom?: ((zoom: Zoom | undefined) => void) | undefined;
}

/** The first and the last step of a chart. */
export interface Zoom {
  readonly from: number;
  readonly to: number;
}

/** Pixels below which a drag counts as a click with an unsteady hand. */
const dragFrom = 6;

const pad = { left: 42, right: 10, top: 12, bottom: 26 };

/** The reward by step: the distribution of the attempts as cells, and the means of two splits as lines over them. */
export function RewardChart({ name, train, val, current, onStep, onZoom }: RewardChartProps): JSX.Element {
  const { ref, width } = useWidth();
  const [hover, setHover] = useState<number>();
  const [drag, setDrag] = useState<{ start: number; x: number; end: number; isDrag: boolean }>();
  const { step: steps, range } = train;
  const height = width < 500 ? 230 : 300;
  const last = steps.length - 1;
  const column = (width - pad.left - pad.right) / Math.max(1, steps.length);
  const x = linear(
    [0, Math.max(1, last)],
    [pad.left + column / 2, Math.max(pad.left + column, width - pad.right) - column / 2],
  );
  const y = linear([range.low, range.high], [height - pad.bottom, pad.top]);
  const clamp = (value: number) => y(Math.max(range.low, Math.min(range.high, value)));
  const cell = (height - pad.top - pad.bottom) / 10;
  const place = new Map(steps.map((step, at) => [step, at]));
  const valByPlace: (number | null)[] = steps.map(() => null);
  for (const [at, step] of (val?.step ?? []).entries()) {
    const found = place.get(step);
    if (found !== undefined) valByPlace[found] = val?.mean[at] ?? null;
  }
  const at = hover ?? (current === undefined ? last : (place.get(current) ?? last));
  const shown = steps[at];
  const gap = column > 4 ? 0.84 : 1;
  const move = (by: number) => setHover(Math.max(0, Math.min(last, at + by)));
  const point = (event: MouseEvent) =>
    Math.max(0, Math.min(last, Math.floor((event.offsetX - pad.left) / Math.max(column, 1e-9))));
  const summary = `${name} by step. ${trendOf("The mean of train", steps, train.mean)} ${trendOf("Of val", val?.step ?? [], val?.mean ?? [])}`;
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
        aria-valuetext={shown === undefined ? "No steps" : sentence(shown, at, train, valByPlace)}
        onKeyDown={(event) => {
          const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
          if (by !== undefined) move(by);
          else if (event.key === "Enter" && shown !== undefined) onStep?.(shown);
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
        onBlur={() => setHover(undefined)}
      >
        {width > 0 && (
          <svg
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            role="img"
            aria-label={summary}
            onPointerDown={(event) => {
              if (event.button !== 0 || onZoom === undefined) return;
              const start = point(event);
              event.currentTarget.setPointerCapture(event.pointerId);
              setDrag({ start, end: start, x: event.offsetX, isDrag: false });
            }}
            onPointerMove={(event) => {
              const end = point(event);
              setHover(end);
              if (drag !== undefined)
                setDrag({ ...drag, end, isDrag: drag.isDrag || Math.abs(event.offsetX - drag.x) >= dragFrom });
            }}
            onPointerUp={(event) => {
              const step = steps[point(event)];
              setDrag(undefined);
              if (drag?.isDrag === true) {
                const [from, to] = [drag.start, drag.end].toSorted((a, b) => a - b).map((place) => steps[place]);
                // A single step is not a curve.
                if (from !== undefined && to !== undefined && from !== to) onZoom?.({ from, to });
              } else if (step !== undefined && event.button === 0) onStep?.(step);
            }}
            onPointerCancel={() => setDrag(undefined)}
            onPointerLeave={() => setHover(undefined)}
            onDblClick={() => onZoom?.(undefined)}
          >
            {[0, 0.25, 0.5, 0.75, 1].map((part) => {
              const value = range.low + part * (range.high - range.low);
              return (
                <g key={part}>
                  <line class="grid" x1={pad.left} x2={width - pad.right} y1={y(value)} y2={y(value)} />
                  <text x={pad.left - 8} y={y(value) + 4} text-anchor="end">
                    {reward(value)}
                  </text>
                </g>
              );
            })}
            <Cells {...{ train, x, y, cell, column: column * gap, range }} />
            <path class="under" d={linePath(train.mean, x, clamp)} />
            <path class="line" d={linePath(train.mean, x, clamp)} />
            {val !== undefined && <path class="line val" d={linePath(valByPlace, x, clamp)} />}
            {steps.length <= 200 &&
              valByPlace.map(
                (mean, i) => mean !== null && <circle key={i} class="dot val" cx={x(i)} cy={clamp(mean)} r={3} />,
              )}
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
            {drag?.isDrag === true && (
              <rect
                class="zoom"
                x={x(Math.min(drag.start, drag.end)) - column / 2}
                y={pad.top}
                width={(Math.abs(drag.end - drag.start) + 1) * column}
                height={height - pad.top - pad.bottom}
              />
            )}
            {shown !== undefined && <line class="cross" x1={x(at)} x2={x(at)} y1={pad.top} y2={height - pad.bottom} />}
            {train.mean[at] != null && <circle class="dot on" cx={x(at)} cy={clamp(train.mean[at] ?? 0)} r={4.5} />}
          </svg>
        )}
        {hover !== undefined && shown !== undefined && (
          <div
            class="tip"
            aria-hidden="true"
            style={{ left: `${Math.min(x(at) + 12, width - 130)}px`, top: `${pad.top}px` }}
          >
            <b>Step {shown}</b>
            <span>train {reward(train.mean[at], 3)}</span>
            {valByPlace[at] !== null && <span>val {reward(valByPlace[at], 3)}</span>}
            <span>{count(train.n[at])} attempts</span>
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
            ...(val ? [reward(valByPlace[i], 3)] : []),
          ])
        }
      />
    </figure>
  );
}

interface CellsProps {
  readonly train: RewardSeries;
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
  readonly cell: number;
  readonly column: number;
  readonly range: Range;
}

/** The share of a step's attempts in each tenth. At most one column per pixel is drawn. */
function Cells({ train, x, y, cell, column, range }: CellsProps): JSX.Element {
  const stride = Math.max(1, Math.ceil(1.5 / Math.max(column, 0.01)));
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
      const shade = Math.min(7, Math.floor(Math.sqrt(share) * 8));
      const top = y(range.low + ((k + 1) / 10) * (range.high - range.low)) + 0.75;
      const wide = column * stride;
      shades[shade] +=
        `M${(x(at) - column / 2).toFixed(1)},${top.toFixed(1)}h${wide.toFixed(1)}v${(cell - 1.5).toFixed(1)}h${(-wide).toFixed(1)}z`;
    }
  }
  return (
    <g>{shades.map((path, shade) => path !== "" && <path key={shade} class={`cell shade${shade}`} d={path} />)}</g>
  );
}

function sentence(step: number, at: number, train: RewardSeries, val: Values): string {
  const other = val[at] == null ? "" : `, val ${reward(val[at], 3)}`;
  return `Step ${step}: train ${reward(train.mean[at], 3)}${other}, ${count(train.n[at])} attempts`;
}

function trendOf(what: string, steps: readonly number[], means: Values): string {
  const first = means.findIndex((mean) => mean !== null);
  const last = means.findLastIndex((mean) => mean !== null);
  if (first < 0) return "";
  return `${what} goes from ${reward(means[first], 2)} at step ${steps[first]} to ${reward(means[last], 2)} at step ${steps[last]}.`;
}
