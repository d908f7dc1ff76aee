/** @jsxImportSource preact */
import { extent, linear, linePath } from "./scale.ts";
import { Svg } from "./svg.tsx";
import { useWidth } from "./use-width.ts";

type Values = readonly (number | null)[];

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
      {from >= 0 && <path class="area" d={`${path}L${x(to)},${height}L${x(from)},${height}Z`} />}
      <path class="line" d={path} />
      {values[at] != null && <circle class="dot on" cx={x(at)} cy={y(values[at] ?? 0)} r={3} />}
    </Svg>
  );
}

export interface MiniChartProps {
  readonly label: string;
  /** The newest value as text. */
  readonly now: string;
  readonly note?: string | undefined;
  readonly step: readonly number[];
  readonly values: Values;
  /** Formats a value for the sentence. */
  readonly write: (value: number | null) => string;
  readonly isWarning?: boolean | undefined;
  /** The selected step of the page. */
  readonly current?: number | undefined;
}

/** One figure by step: its newest value and its history. */
export function MiniChart({ label, now, note, step, values, write, isWarning, current }: MiniChartProps) {
  const { ref, width } = useWidth();
  const [from, to] = [values.findIndex((one) => one !== null), values.findLastIndex((one) => one !== null)];
  const textAt = (at: number) => `${write(values[at] ?? null)} at step ${step[at]}`;
  const description = from < 0 ? ": no values yet" : ` by step: from ${textAt(from)} to ${textAt(to)}`;
  return (
    <div class={isWarning === true ? "mini warn" : "mini"}>
      <h3>{label}</h3>
      <p class="now">
        {now} {note !== undefined && <small>{note}</small>}
      </p>
      <div class="draw" ref={ref}>
        {width > 0 && (
          <Spark
            label={`${label}${description}`}
            values={values}
            width={width}
            height={58}
            range={extent(values)}
            at={current === undefined ? to : step.indexOf(current)}
          />
        )}
      </div>
    </div>
  );
}
