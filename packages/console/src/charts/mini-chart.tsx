/** @jsxImportSource preact */
import { small } from "../format/format.ts";
import { extent, linear, linePath, type Values } from "./scale.ts";
import { Svg, useWidth } from "./svg.tsx";

export interface SparkProps {
  readonly label: string;
  readonly values: Values;
  readonly width: number;
  readonly height: number;
  /** The values at the bottom and at the top. */
  readonly range: readonly [low: number, high: number];
  /** The value that has a dot. */
  readonly at: number;
}

/** A small line through values. */
export function Spark({ label, values, width, height, range: [low, high], at }: SparkProps) {
  const x = linear([0, Math.max(1, values.length - 1)], [3, Math.max(4, width - 5)]);
  const y = linear([low, high === low ? low + 1 : high], [height - 5, 5]);
  const [from, to] = [values.findIndex((one) => one !== null), values.findLastIndex((one) => one !== null)];
  const path = linePath(values, x, y);
  return (
    <Svg class="spark" width={width} height={height} label={label}>
      {from >= 0 && <path class="area" opacity={0.12} d={`${path}L${x(to)},${height}L${x(from)},${height}Z`} />}
      <path class="line" d={path} />
      {values[at] != null && <circle class="dot on" cx={x(at)} cy={y(values[at])} r={3} />}
    </Svg>
  );
}

export interface MiniChartProps {
  readonly label: string;
  readonly note?: string | undefined;
  readonly step: readonly number[];
  readonly values: Values;
  /** The place of the value that is shown as text. */
  readonly at: number;
  readonly write?: (value: number | null) => string;
  readonly isWarning?: boolean;
}

/** One figure by step: its newest value and its history. */
export function MiniChart({ label, note, step, values, at, write = small, isWarning = false }: MiniChartProps) {
  const { ref, width } = useWidth();
  const [from, to] = [values.findIndex((one) => one !== null), values.findLastIndex((one) => one !== null)];
  const textAt = (at: number) => `${write(values[at] ?? null)} at step ${step[at]}`;
  const description = from < 0 ? ": no values yet" : ` by step: from ${textAt(from)} to ${textAt(to)}`;
  return (
    <div class={isWarning ? "mini alarm" : "mini"}>
      <h3>{label}</h3>
      <p class="now">
        {write(values[at] ?? null)} {note !== undefined && <small>{note}</small>}
      </p>
      <div class="draw" ref={ref}>
        <Spark label={label + description} width={width} height={58} range={extent(values)} {...{ values, at }} />
      </div>
    </div>
  );
}
